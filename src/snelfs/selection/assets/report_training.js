// The course of the training, and how many features are enough.

const GAP = 32; // pixels between panels, as in the style sheet
const LAST = training.n_epochs - 1;
const epochAxis = () =>
  axis("epoch", { grid: false, domain: [0, Math.max(1, LAST)], nice: false, tickFormat: d3.format(",") });

function trainingPanel(label, options, entries) {
  const width = Math.min(620, Math.max(260, panelWidth()));
  const chart = draw(label, {
    width,
    height: 210,
    marginLeft: 48,
    marginRight: 16,
    marginBottom: 38,
    x: epochAxis(),
    ...options,
  });
  return panel(label, key(entries), chart);
}

function panelWidth() {
  const whole = find("training-charts").clientWidth;
  const beside = Math.max(1, Math.min(3, Math.floor((whole + GAP) / (21 * 16 + GAP))));
  return (whole - GAP * (beside - 1)) / beside;
}

const steps = (band) =>
  training.epoch.map((epoch, i) => ({ epoch, low: band.low[i], middle: band.middle[i], high: band.high[i] }));
const bandMarks = (band, ink) => [
  Plot.areaY(steps(band), { x: "epoch", y1: "low", y2: "high", fill: ink, fillOpacity: 0.2, clip: true }),
  Plot.lineY(steps(band), { x: "epoch", y: "middle", stroke: ink, strokeWidth: 1.5, clip: true }),
];

/** Draw a strip along the top, the stronger the more restarts the epochs are candidates in. */
function admitted([, high]) {
  const ends = training.epoch.map((_, i) => (i * training.n_epochs) / training.epoch.length);
  const parts = training.admitted.map((share, i) => ({
    share,
    from: ends[i],
    to: Math.min(LAST, ends[i + 1] ?? LAST),
  }));
  return Plot.rect(
    parts.filter(({ share }) => share > 0),
    { x1: "from", x2: "to", y1: 0.96 * high, y2: high, fill: "var(--c2)", fillOpacity: "share", inset: -0.1 },
  );
}

/** Return the top of an axis; the fall of the first epochs may leave it, or all that follows would be flat. */
function top(bands, marks) {
  const from = Math.floor(training.epoch.length / 25);
  const highest = d3.max(bands, ({ high }) => d3.max(high.slice(from)));
  return 1.1 * Math.max(highest ?? 0, d3.max(marks) ?? 0, 1e-9);
}

function lossPanel() {
  const { train, validation, best } = training;
  const domain = [
    0,
    top(
      [train, validation],
      best.map(({ loss }) => loss),
    ),
  ];
  const rings = Plot.dot(best, { x: "epoch", y: "loss", r: 4, stroke: "currentColor", strokeWidth: 1.3 });
  return trainingPanel(
    "Loss",
    {
      y: axis(null, { domain, nice: false, ticks: 4 }),
      opacity: { type: "identity" },
      marks: [
        admitted(domain),
        ...bandMarks(train, "var(--c0)"),
        ...bandMarks(validation, "var(--c1)"),
        rings,
      ],
    },
    [
      { text: ["training"], ink: "var(--c0)" },
      { text: ["validation"], ink: "var(--c1)" },
      { text: ["best epochs"], ink: "currentColor", ring: true },
      { text: ["admitted"], ink: "var(--c2)", thick: true },
    ],
  );
}

function penaltyPanel() {
  const { sum, variance, limit } = training;
  const domain = [0, top([sum, variance], [limit])];
  const line = Plot.ruleY([limit], { stroke: "currentColor", strokeDasharray: "4 2" });
  return trainingPanel(
    "Penalty per neuron",
    {
      y: axis(null, { domain, nice: false, ticks: 4 }),
      opacity: { type: "identity" },
      marks: [admitted(domain), ...bandMarks(sum, "var(--c0)"), ...bandMarks(variance, "var(--c1)"), line],
    },
    [
      { text: [...indexed("Ω", "S"), " sum of weights"], ink: "var(--c0)" },
      { text: [...indexed("Ω", "A"), " variance"], ink: "var(--c1)" },
      { text: [`limit ${limit}`], ink: "currentColor", dashed: true },
      { text: ["admitted"], ink: "var(--c2)", thick: true },
    ],
  );
}

function weightPanel() {
  const line = (corners, ink, strokeWidth) =>
    Plot.line(corners, { x: "0", y: "1", stroke: ink, strokeWidth });
  const marks = [line(training.lambda_a, "var(--c1)", 0.8), line(training.lambda_s, "var(--c0)", 2)];
  return trainingPanel("Penalty weights", { y: axis(null, { zero: true, ticks: 4 }), marks }, [
    { text: [...indexed("λ", "S"), " of sums"], ink: "var(--c0)" },
    { text: [...indexed("λ", "A"), " of variances"], ink: "var(--c1)" },
  ]);
}

function drawTraining() {
  const share = percent(d3.mean(training.admitted));
  find("training-words").textContent =
    `${count(training.n_restarts, "restart")} of ${count(training.n_epochs, "epoch")} in the deciding round. Lines are medians, bands the middle 80\u00a0% of restarts. ` +
    `Epochs are admitted where both penalties are within the limit, ${share} of them here; the best epoch of a restart is taken from these.`;
  find("training-charts").replaceChildren(lossPanel(), penaltyPanel(), weightPanel());
}

function drawSizes() {
  const { curve } = data;
  if (!curve) return;
  find("size").hidden = false;
  const shown = curve.n.map((size, i) => ({
    size,
    mean: curve.mean[i],
    low: curve.mean[i] - curve.error[i],
    high: curve.mean[i] + curve.error[i],
  }));
  const chosen = shown.filter(({ size }) => size === curve.chosen);
  const look = { x: "size", stroke: "var(--c0)" };
  const chart = draw(`Held-out ${curve.score} by the number of features`, {
    width: Math.min(576, find("size-chart").clientWidth),
    height: 260,
    marginLeft: 56,
    marginBottom: 40,
    x: axis("number of features", {
      type: "log",
      grid: false,
      ticks: curve.n,
      tickFormat: String,
      nice: false,
      insetLeft: 10,
      insetRight: 10,
    }),
    y: axis(`${curve.score} on held-out rows (mean ± standard error)`),
    marks: [
      Plot.ruleX(shown, { ...look, y1: "low", y2: "high" }),
      Plot.lineY(shown, { ...look, y: "mean" }),
      Plot.dot(shown, { ...look, y: "mean", fill: "var(--raised)" }),
      Plot.dot(chosen, { x: "size", y: "mean", r: 5, fill: "var(--c1)" }),
      Plot.text(chosen, {
        x: "size",
        y: "mean",
        text: ({ size }) => `${size} chosen`,
        textAnchor: "start",
        dx: 6,
        dy: 14,
        fill: "var(--c1)",
        stroke: "var(--paper)",
        strokeWidth: 3,
      }),
    ],
  });
  find("size-chart").replaceChildren(chart);
}
