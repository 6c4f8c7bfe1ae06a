// The table of features, the pictures of one feature, and the course of the training.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const { features, rows, training } = data;
  const isClasses = data.task === "classification";
  const n = features.name.length;
  const PAGE = 25;
  const MORE = 100;
  const MOST_CLASSES = 30; // of the pictures, the largest ones
  const MOST_COLOURS = 6;
  const RAMP = d3.piecewise(d3.interpolateLab, ["#0072b2", "#a9a49c", "#d55e00"]); // seen on light and dark paper
  const SYMBOLS = ["circle", "triangle", "square", "diamond", "star", "wye"];
  const KEY_SYMBOLS = [d3.symbolCircle, d3.symbolTriangle, d3.symbolSquare, d3.symbolDiamond, d3.symbolStar, d3.symbolWye];

  const find = (id) => document.getElementById(id);
  const state = { sort: "rank", down: false, shown: PAGE, order: [], chosen: 0 };

  // -- small things ---------------------------------------------------------------------------------

  /** Make an element; text always goes in as text. */
  function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  /** Cut the middle out of a text that is too long for its place. */
  function short(text, length) {
    if (text.length <= length) return text;
    const tail = Math.floor((length - 1) / 2);
    return `${text.slice(0, length - 1 - tail)}…${text.slice(text.length - tail)}`;
  }

  const fixed = (digits) => (value) => (value === null ? "–" : value.toFixed(digits));
  const percent = (value) => (value === null ? "–" : `${Math.round(100 * value)}\u00a0%`);
  const count = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
  const figure = d3.format(".4~g");

  /** Return numbers within ±½ that lie evenly however many there are, for dots side by side. */
  const spread = (i) => ((i * 0.6180339887 + 0.5) % 1) - 0.5;

  // -- the table ------------------------------------------------------------------------------------

  const partner = (i) => features.partner[i]?.[0] ?? "";
  const effect = (i) => features.effects[features.effect[i]];
  const COLUMNS = [
    { key: "rank", title: "Rank", kind: "number", of: (i) => i + 1, show: String },
    { key: "name", title: "Feature", kind: "name", of: (i) => features.name[i] },
    { key: "selected", title: "Selected", kind: "flag", of: (i) => features.selected[i], down: true },
    { key: "score", title: "Score", kind: "number", of: (i) => features.score[i], show: fixed(3), down: true },
    { key: "picked", title: "Picked", kind: "number share", of: (i) => features.frequency[i], show: percent, down: true },
    { key: "q", title: "q-value", kind: "number", of: (i) => features.q?.[i] ?? null, show: fixed(3) },
    { key: "effect", title: "Effect", kind: features.effects.every((words) => words.length <= 28) ? "word short" : "word", of: effect, show: String },
    { key: "partner", title: "Partner", kind: "word", of: partner, show: (name) => name || "–" },
  ].filter((column) => (column.key !== "q" || features.q) && (column.key !== "partner" || Object.keys(features.partner).length));

  /** Compare values of one column; those that are missing come last either way. */
  function compare(a, b, down) {
    const missing = (value) => value === null || value === "";
    if (missing(a) || missing(b)) return missing(a) - missing(b);
    const sign = typeof a === "string" ? a.localeCompare(b, "en", { numeric: true }) : a - b;
    return down ? -sign : sign;
  }

  function matching() {
    const words = find("filter").value.trim().toLowerCase();
    const onlySelected = find("only-selected").checked;
    const has = (text) => text.toLowerCase().includes(words);
    return d3.range(n).filter(
      (i) => (!onlySelected || features.selected[i]) && (!words || has(features.name[i]) || has(effect(i)) || has(partner(i))),
    );
  }

  function arrange() {
    const column = COLUMNS.find(({ key }) => key === state.sort);
    state.order = matching().sort((a, b) => compare(column.of(a), column.of(b), state.down) || a - b);
    drawTable();
  }

  function drawHead() {
    const head = find("table").tHead.rows[0];
    for (const column of COLUMNS) {
      const button = make("button", { type: "button" }, column.title);
      button.addEventListener("click", () => sortBy(column));
      head.append(make("th", { scope: "col", class: column.kind.split(" ")[0], "data-key": column.key }, button));
    }
  }

  function sortBy(column) {
    state.down = state.sort === column.key ? !state.down : Boolean(column.down);
    state.sort = column.key;
    state.shown = PAGE;
    arrange();
  }

  function drawTable() {
    for (const cell of find("table").tHead.rows[0].cells) {
      const sorted = cell.dataset.key === state.sort;
      cell.setAttribute("aria-sort", sorted ? (state.down ? "descending" : "ascending") : "none");
    }
    const shown = state.order.slice(0, state.shown);
    find("table").tBodies[0].replaceChildren(...shown.map(tableRow));
    const left = state.order.length - shown.length;
    find("more").hidden = left === 0;
    find("more").textContent = `Show ${Math.min(MORE, left)} more`;
    const found = state.order.length === n ? count(n, "feature") : `${state.order.length.toLocaleString("en")} of ${count(n, "feature")}`;
    find("count").textContent = left ? `${found}, the first ${shown.length} shown` : found;
  }

  function tableRow(i) {
    const row = make("tr", { "data-place": i });
    if (i === state.chosen) row.setAttribute("aria-current", "true");
    row.append(...COLUMNS.map((column) => tableCell(column, i)));
    return row;
  }

  function tableCell(column, i) {
    const cell = make("td", { class: column.kind });
    const value = column.of(i);
    if (column.key === "name") cell.append(make("button", { type: "button" }, value));
    else if (column.key === "selected") cell.append(value ? make("span", { class: "yes", role: "img", "aria-label": "selected" }, "✓") : "");
    else cell.textContent = column.show(value);
    if (column.key === "picked") cell.style.setProperty("--part", value);
    return cell;
  }

  /** Arrow keys go from name to name, as in a list. */
  function walk(event) {
    const step = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key];
    const to = step && event.target.closest("tr")?.[step];
    if (!to) return;
    event.preventDefault();
    to.querySelector(".name button").focus();
  }

  // -- one feature ----------------------------------------------------------------------------------

  function choose(i, follow = false) {
    state.chosen = i;
    for (const row of find("table").tBodies[0].rows) {
      if (Number(row.dataset.place) === i) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    }
    drawDetail();
    if (follow && window.matchMedia("(max-width: 60rem)").matches) find("detail").scrollIntoView({ block: "start" });
  }

  /** Go to a neighbour in the order of the table. */
  function step(by) {
    const place = state.order.indexOf(state.chosen);
    const to = state.order[place < 0 ? 0 : place + by];
    if (to !== undefined) choose(to);
  }

  function drawDetail() {
    const i = state.chosen;
    find("detail-title").textContent = features.name[i];
    find("detail-facts").textContent = facts(i).join(" · ");
    const place = state.order.indexOf(i);
    find("previous").disabled = place <= 0;
    find("next").disabled = place >= 0 && place === state.order.length - 1;
    find("detail-charts").replaceChildren(...detailCharts(i));
    // Where it is higher than the window, its lower end stays in sight.
    find("detail").style.top = `${Math.min(16, window.innerHeight - find("detail").offsetHeight - 16)}px`;
  }

  function facts(i) {
    const words = [`rank ${i + 1}${features.selected[i] ? ", selected" : ""}`, `picked by ${percent(features.frequency[i])} of restarts`];
    if (features.q) words.push(`q-value ${fixed(3)(features.q[i])}`);
    return [...words, `${effect(i)} (strength ${fixed(2)(features.strength[i])})`];
  }

  function detailCharts(i) {
    const values = data.values[i];
    if (!values) return [make("p", { class: "muted" }, `This report holds the values of ${count(Object.keys(data.values).length, "leading feature")}, and not of this one.`)];
    const width = Math.max(240, find("detail-charts").clientWidth);
    const alone = isClasses ? panel(`By ${data.target}`, byClass(i, values, width)) : panel(`Against ${data.target}`, againstTarget(i, values, width));
    const [name, other] = features.partner[i] ?? [];
    if (!name || !data.values[other]) return [alone];
    return [alone, panel(`With its partner, ${name}`, ...withPartner(i, other, width))];
  }

  const panel = (title, ...parts) => make("figure", {}, make("figcaption", {}, title), ...parts);

  // -- pictures of a feature ------------------------------------------------------------------------

  const LOOK = { background: "none", fontSize: "12px", fontFamily: "inherit", overflow: "visible" };

  const drawnClasses = isClasses
    ? d3.sort(d3.sort(d3.range(rows.classes.length), (c) => -rows.sizes[c]).slice(0, MOST_CLASSES))
    : [];
  const colourful = new Set(d3.sort(drawnClasses, (c) => -rows.sizes[c]).slice(0, MOST_COLOURS));
  const mark = new Map([...d3.sort(colourful)].map((c, place) => [c, place]));
  const colour = (c) => (mark.has(c) ? `var(--c${mark.get(c)})` : "var(--other)");
  const symbol = (c) => SYMBOLS[mark.get(c) ?? 0];
  const className = (c) => short(rows.classes[c], 18);

  /** Draw with the settings that all pictures share, and say what it is to those who cannot see it. */
  function draw(label, options) {
    const chart = Plot.plot({ style: LOOK, ...options });
    for (const part of chart.querySelectorAll("[aria-label]")) {
      part.dataset.mark = part.getAttribute("aria-label"); // it is read as one picture, and not in parts
      part.removeAttribute("aria-label");
    }
    chart.setAttribute("role", "img");
    chart.setAttribute("aria-label", label);
    return chart;
  }

  const axis = (label, more = {}) => ({ label, grid: true, nice: true, tickFormat: figure, labelArrow: "none", ...more });

  /** Return an axis for values; where they are few, each has its tick. */
  function valueAxis(values, label) {
    const different = d3.sort(new Set(values));
    return axis(label, different.length <= 6 ? { ticks: different } : { ticks: 6 });
  }

  const dotSize = () => (rows.y.length > 600 ? 1.6 : rows.y.length > 150 ? 2.2 : 3);
  const dotLook = () => ({ r: dotSize(), fillOpacity: rows.y.length > 600 ? 0.5 : 0.75 });

  /** Return one object a row; few different values are spread a little, so that equal dots can be counted. */
  function points(values, others) {
    const x = loosened(values, (i) => spread(i));
    const y = others && loosened(others, (i) => spread(i * 7 + 3));
    const name = (i) => rows.name[i];
    return values.map((value, i) => ({ i, value, other: others?.[i], x: x[i], y: y?.[i], target: rows.y[i], name: name(i) }));
  }

  function loosened(values, shift) {
    const different = d3.sort(new Set(values));
    if (different.length > 12 || different.length < 2) return values;
    const gap = d3.min(d3.pairs(different, (a, b) => b - a));
    return values.map((value, i) => value + 0.5 * gap * shift(i));
  }

  function byClass(i, values, width) {
    const shown = points(values).filter(({ target }) => drawnClasses.includes(target));
    const high = drawnClasses.length > 6 ? 34 : drawnClasses.length > 3 ? 64 : 84;
    const margin = 16 + 6.6 * d3.max(drawnClasses, (c) => Math.max(className(c).length, `${rows.sizes[c]} rows`.length));
    return draw(`Distribution of ${features.name[i]} in each class of ${data.target}`, {
      width,
      height: drawnClasses.length * high + 54,
      marginLeft: margin,
      marginRight: 12,
      marginTop: 6,
      marginBottom: 40,
      fy: { domain: drawnClasses, axis: null, padding: 0.12 },
      y: { axis: null, domain: [-1, 1] },
      x: valueAxis(values, short(features.name[i], 50)),
      marks: [
        Plot.axisFy({ anchor: "left", label: null, text: (c) => `${className(c)}\n${count(rows.sizes[c], "row")}`, fill: "currentColor", dx: -4 }),
        Plot.dot(shown, { x: "value", y: ({ i: place }) => 1.4 * spread(place), fy: "target", fill: ({ target }) => colour(target), symbol: ({ target }) => symbol(target), ...dotLook(), title: ({ name, value }) => `${name}: ${figure(value)}`, tip: true }),
        Plot.boxX(shown, { x: "value", fy: "target", fill: "currentColor", fillOpacity: 0.15, stroke: "currentColor", strokeOpacity: 0.75, r: 0, insetTop: 6, insetBottom: 6 }),
      ],
    });
  }

  function againstTarget(i, values, width) {
    return draw(`${data.target} against ${features.name[i]}`, {
      width,
      height: Math.min(300, 0.8 * width),
      marginTop: 30,
      marginLeft: 56,
      marginBottom: 40,
      x: valueAxis(values, short(features.name[i], 50)),
      y: axis(short(data.target, 40), { ticks: 6 }),
      marks: [
        Plot.dot(points(values), { x: "x", y: "target", fill: "var(--c0)", ...dotLook(), title: ({ name, value, target }) => `${name}: ${figure(value)}, ${data.target} ${figure(target)}`, tip: true }),
        Plot.linearRegressionY(points(values), { x: "value", y: "target", stroke: "var(--c1)", strokeWidth: 2 }),
      ],
    });
  }

  function withPartner(i, other, width) {
    const shown = points(data.values[i], data.values[other]).filter(({ target }) => !isClasses || drawnClasses.includes(target));
    const inks = isClasses ? { fill: ({ target }) => colour(target), symbol: ({ target }) => symbol(target) } : { fill: "target" };
    const say = ({ name, value, other: second, target }) => `${name}: ${figure(value)}, ${figure(second)}, ${isClasses ? rows.classes[target] : figure(target)}`;
    const chart = draw(`${features.name[other]} against ${features.name[i]}, coloured by ${data.target}`, {
      width,
      height: Math.min(310, 0.85 * width),
      marginTop: 30,
      marginLeft: 56,
      marginBottom: 40,
      x: valueAxis(data.values[i], short(features.name[i], 50)),
      y: valueAxis(data.values[other], short(features.name[other], 40)),
      color: isClasses ? { type: "identity" } : targetScale(),
      marks: [Plot.dot(shown, { x: "x", y: "y", ...inks, ...dotLook(), title: say, tip: true })],
    });
    return [isClasses ? key(classKey()) : Plot.legend({ color: targetScale(), width: 220, style: LOOK }), chart];
  }

  const targetScale = () => ({ type: "linear", domain: d3.extent(rows.y), interpolate: RAMP, label: short(data.target, 40) });

  function classKey() {
    const named = drawnClasses.filter((c) => mark.has(c)).map((c) => ({ text: [className(c)], ink: colour(c), symbol: KEY_SYMBOLS[mark.get(c)] }));
    return drawnClasses.length > named.length ? [...named, { text: ["other classes"], ink: "var(--other)", symbol: d3.symbolCircle }] : named;
  }

  /** Explain colours: each entry has its text in parts, an ink, and the kind of mark; a line by default. */
  function key(entries) {
    return make("ul", { class: "key" }, ...entries.map((entry) => make("li", {}, keyMark(entry), ...entry.text)));
  }

  const indexed = (letter, index) => [letter, make("sub", {}, index)];

  function keyMark({ ink, symbol: shape, dashed, thick, ring }) {
    const svg = d3.create("svg").attr("width", 16).attr("height", 12).attr("viewBox", "-8 -6 16 12").attr("aria-hidden", "true");
    if (shape) svg.append("path").attr("d", d3.symbol(shape, 50)()).attr("fill", ink);
    else if (ring) svg.append("circle").attr("r", 3.5).attr("fill", "none").attr("stroke", ink).attr("stroke-width", 1.3);
    else svg.append("path").attr("d", "M-8,0H8").attr("stroke", ink).attr("stroke-width", thick ? 6 : 2).attr("stroke-dasharray", dashed ? "4 2" : null);
    return svg.node();
  }

  // -- training -------------------------------------------------------------------------------------

  const GAP = 32; // pixels between panels, as in the style sheet
  const LAST = training.n_epochs - 1;
  const epochAxis = () => axis("epoch", { grid: false, domain: [0, Math.max(1, LAST)], nice: false, tickFormat: d3.format(",") });

  function trainingPanel(label, options, entries) {
    const width = Math.min(620, Math.max(260, panelWidth()));
    const chart = draw(label, { width, height: 210, marginLeft: 48, marginRight: 16, marginBottom: 38, x: epochAxis(), ...options });
    return panel(label, key(entries), chart);
  }

  function panelWidth() {
    const whole = find("training-charts").clientWidth;
    const beside = Math.max(1, Math.min(3, Math.floor((whole + GAP) / (21 * 16 + GAP))));
    return (whole - GAP * (beside - 1)) / beside;
  }

  const steps = (band) => training.epoch.map((epoch, i) => ({ epoch, low: band.low[i], middle: band.middle[i], high: band.high[i] }));
  const bandMarks = (band, ink) => [
    Plot.areaY(steps(band), { x: "epoch", y1: "low", y2: "high", fill: ink, fillOpacity: 0.2, clip: true }),
    Plot.lineY(steps(band), { x: "epoch", y: "middle", stroke: ink, strokeWidth: 1.5, clip: true }),
  ];

  /** Draw a strip along the top, the stronger the more restarts the epochs are candidates in. */
  function admitted([, high]) {
    const ends = training.epoch.map((_, i) => (i * training.n_epochs) / training.epoch.length);
    const parts = training.admitted.map((share, i) => ({ share, from: ends[i], to: Math.min(LAST, ends[i + 1] ?? LAST) }));
    return Plot.rect(parts.filter(({ share }) => share > 0), { x1: "from", x2: "to", y1: 0.96 * high, y2: high, fill: "var(--c2)", fillOpacity: "share", inset: -0.1 });
  }

  /** Return the top of an axis; the fall of the first epochs may leave it, or all that follows would be flat. */
  function top(bands, marks) {
    const from = Math.floor(training.epoch.length / 25);
    const highest = d3.max(bands, ({ high }) => d3.max(high.slice(from)));
    return 1.1 * Math.max(highest ?? 0, d3.max(marks) ?? 0, 1e-9);
  }

  function lossPanel() {
    const { train, validation, best } = training;
    const domain = [0, top([train, validation], best.map(({ loss }) => loss))];
    const rings = Plot.dot(best, { x: "epoch", y: "loss", r: 4, stroke: "currentColor", strokeWidth: 1.3 });
    return trainingPanel("Loss", { y: axis(null, { domain, nice: false, ticks: 4 }), opacity: { type: "identity" }, marks: [admitted(domain), ...bandMarks(train, "var(--c0)"), ...bandMarks(validation, "var(--c1)"), rings] }, [
      { text: ["training"], ink: "var(--c0)" },
      { text: ["validation"], ink: "var(--c1)" },
      { text: ["best epochs"], ink: "currentColor", ring: true },
      { text: ["admitted"], ink: "var(--c2)", thick: true },
    ]);
  }

  function penaltyPanel() {
    const { sum, variance, limit } = training;
    const domain = [0, top([sum, variance], [limit])];
    const line = Plot.ruleY([limit], { stroke: "currentColor", strokeDasharray: "4 2" });
    return trainingPanel("Penalty per neuron", { y: axis(null, { domain, nice: false, ticks: 4 }), opacity: { type: "identity" }, marks: [admitted(domain), ...bandMarks(sum, "var(--c0)"), ...bandMarks(variance, "var(--c1)"), line] }, [
      { text: [...indexed("Ω", "S"), " sum of weights"], ink: "var(--c0)" },
      { text: [...indexed("Ω", "A"), " variance"], ink: "var(--c1)" },
      { text: [`limit ${limit}`], ink: "currentColor", dashed: true },
      { text: ["admitted"], ink: "var(--c2)", thick: true },
    ]);
  }

  function weightPanel() {
    const line = (corners, ink, strokeWidth) => Plot.line(corners, { x: "0", y: "1", stroke: ink, strokeWidth });
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
    const shown = curve.n.map((size, i) => ({ size, mean: curve.mean[i], low: curve.mean[i] - curve.error[i], high: curve.mean[i] + curve.error[i] }));
    const chosen = shown.filter(({ size }) => size === curve.chosen);
    const look = { x: "size", stroke: "var(--c0)" };
    const chart = draw(`Held-out ${curve.score} by the number of features`, {
      width: Math.min(576, find("size-chart").clientWidth),
      height: 260,
      marginLeft: 56,
      marginBottom: 40,
      x: axis("number of features", { type: "log", grid: false, ticks: curve.n, tickFormat: String, nice: false, insetLeft: 10, insetRight: 10 }),
      y: axis(`${curve.score} on held-out rows (mean ± standard error)`),
      marks: [
        Plot.ruleX(shown, { ...look, y1: "low", y2: "high" }),
        Plot.lineY(shown, { ...look, y: "mean" }),
        Plot.dot(shown, { ...look, y: "mean", fill: "var(--raised)" }),
        Plot.dot(chosen, { x: "size", y: "mean", r: 5, fill: "var(--c1)" }),
        Plot.text(chosen, { x: "size", y: "mean", text: ({ size }) => `${size} chosen`, textAnchor: "start", dx: 6, dy: 14, fill: "var(--c1)", stroke: "var(--paper)", strokeWidth: 3 }),
      ],
    });
    find("size-chart").replaceChildren(chart);
  }

  // -- page -----------------------------------------------------------------------------------------

  const wantsDark = window.matchMedia("(prefers-color-scheme: dark)");

  function showTheme(theme) {
    if (theme) document.documentElement.dataset.theme = theme;
    const dark = (theme ?? (wantsDark.matches ? "dark" : "light")) === "dark";
    find("theme").setAttribute("aria-pressed", dark);
    find("theme").textContent = dark ? "Light" : "Dark";
    find("theme").setAttribute("aria-label", `Use ${dark ? "light" : "dark"} colours`);
  }

  async function copyCommand() {
    const command = find("command");
    try {
      await navigator.clipboard.writeText(command.textContent);
      find("copy").textContent = "Copied";
    } catch {
      window.getSelection().selectAllChildren(command); // the reader copies by hand
    }
  }

  /** Paper has nothing to click on: what is folded away is opened first, and closed afterwards. */
  function openAll() {
    const closed = document.querySelectorAll("details:not([open])");
    closed.forEach((element) => { element.open = true; });
    window.addEventListener("afterprint", () => closed.forEach((element) => { element.open = false; }), { once: true });
  }

  function listen() {
    find("filter").addEventListener("input", () => { state.shown = PAGE; arrange(); });
    find("only-selected").addEventListener("change", () => { state.shown = PAGE; arrange(); });
    document.querySelector("form.tools").addEventListener("submit", (event) => event.preventDefault());
    find("more").addEventListener("click", () => { state.shown += MORE; drawTable(); });
    const body = find("table").tBodies[0];
    body.addEventListener("click", (event) => {
      const row = event.target.closest("tr");
      if (row) choose(Number(row.dataset.place), true);
    });
    body.addEventListener("keydown", walk);
    find("previous").addEventListener("click", () => step(-1));
    find("next").addEventListener("click", () => step(1));
    find("theme").addEventListener("click", () => showTheme(find("theme").getAttribute("aria-pressed") === "true" ? "light" : "dark"));
    find("copy").addEventListener("click", copyCommand);
    window.addEventListener("beforeprint", openAll);
    wantsDark.addEventListener("change", () => showTheme(document.documentElement.dataset.theme));
  }

  /** Draw anew when the width has changed, once it rests. */
  function watchWidth() {
    let width = window.innerWidth;
    let waiting;
    window.addEventListener("resize", () => {
      if (window.innerWidth === width) return;
      width = window.innerWidth;
      clearTimeout(waiting);
      waiting = setTimeout(drawPictures, 150);
    });
  }

  function drawPictures() {
    drawDetail();
    drawSizes();
    drawTraining();
  }

  if (!features.q) document.querySelectorAll(".with-q").forEach((element) => element.remove());
  drawHead();
  arrange();
  drawPictures();
  listen();
  watchWidth();
  showTheme();
})();
