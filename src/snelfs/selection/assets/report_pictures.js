// How all pictures look, and the pictures of one feature.

const MOST_CLASSES = 30; // of the pictures, the largest ones
const MOST_COLOURS = 6;
const RAMP = d3.piecewise(d3.interpolateLab, ["#0072b2", "#a9a49c", "#d55e00"]); // seen on light and dark paper
const SYMBOLS = ["circle", "triangle", "square", "diamond", "star", "wye"];
const KEY_SYMBOLS = [
  d3.symbolCircle,
  d3.symbolTriangle,
  d3.symbolSquare,
  d3.symbolDiamond,
  d3.symbolStar,
  d3.symbolWye,
];

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

const axis = (label, more = {}) => ({
  label,
  grid: true,
  nice: true,
  tickFormat: figure,
  labelArrow: "none",
  ...more,
});

/** Return an axis for values; where they are few, each has its tick. */
function valueAxis(values, label) {
  const different = d3.sort(new Set(values));
  return axis(label, different.length <= 6 ? { ticks: different } : { ticks: 6 });
}

/** Return pixels that the figures along an upright axis need. */
function margin(values) {
  const ticks = d3.ticks(...d3.nice(...d3.extent(values), 6), 6);
  return 20 + 7 * (d3.max(ticks, (tick) => figure(tick).length) ?? 1);
}

const dotSize = () => (rows.y.length > 600 ? 1.6 : rows.y.length > 150 ? 2.2 : 3);
const dotLook = () => ({ r: dotSize(), fillOpacity: rows.y.length > 600 ? 0.5 : 0.75 });

/** Return one object a row; few different values are spread a little, so that equal dots can be counted. */
function points(values, others) {
  const x = loosened(values, spread);
  const y = others && loosened(others, (i) => spread(i * 7 + 3));
  return values.map((value, i) => ({
    i,
    value,
    other: others?.[i],
    x: x[i],
    y: y?.[i],
    target: rows.y[i],
    name: rows.name[i],
  }));
}

function loosened(values, shift) {
  const different = d3.sort(new Set(values));
  if (different.length > 12 || different.length < 2) return values;
  const gap = d3.min(d3.pairs(different, (a, b) => b - a));
  return values.map((value, i) => value + 0.5 * gap * shift(i));
}

/** Return the names of the classes beside their rows of a picture, and the room that these need. */
const classNames = () =>
  Plot.axisFy({
    anchor: "left",
    label: null,
    text: (c) => `${className(c)}\n${count(rows.sizes[c], "row")}`,
    fill: "currentColor",
    dx: -4,
  });

const roomForClasses = () =>
  16 + 6.6 * d3.max(drawnClasses, (c) => Math.max(className(c).length, `${rows.sizes[c]} rows`.length));

function byClass(i, values, width) {
  const shown = points(values).filter(({ target }) => drawnClasses.includes(target));
  const high = drawnClasses.length > 6 ? 34 : drawnClasses.length > 3 ? 64 : 84;
  const longest = roomForClasses();
  return draw(`Distribution of ${features.name[i]} in each class of ${data.target}`, {
    width,
    height: drawnClasses.length * high + 54,
    marginLeft: longest,
    marginRight: 12,
    marginTop: 6,
    marginBottom: 40,
    fy: { domain: drawnClasses, axis: null, padding: 0.12 },
    y: { axis: null, domain: [-1, 1] },
    x: valueAxis(values, short(features.name[i], 50)),
    marks: [
      classNames(),
      Plot.dot(shown, {
        x: "value",
        y: ({ i: place }) => 1.4 * spread(place),
        fy: "target",
        fill: ({ target }) => colour(target),
        symbol: ({ target }) => symbol(target),
        ...dotLook(),
        title: ({ name, value }) => `${name}: ${figure(value)}`,
        tip: true,
      }),
      Plot.boxX(shown, {
        x: "value",
        fy: "target",
        fill: "currentColor",
        fillOpacity: 0.15,
        stroke: "currentColor",
        strokeOpacity: 0.75,
        r: 0,
        insetTop: 6,
        insetBottom: 6,
      }),
    ],
  });
}

/** Return the scale of categories for a picture of some width, and the room their names need below. */
function categoryScale(i, levels, width) {
  const names = levels.map((level) => short(level, 14));
  const longest = 6.6 * d3.max(names, (name) => name.length);
  const turned = longest > (0.9 * width) / levels.length;
  return {
    below: turned ? 44 + 0.6 * longest : 40,
    label: short(features.name[i], 50),
    labelArrow: "none",
    tickFormat: (place) => names[place],
    tickRotate: turned ? -40 : 0,
    labelAnchor: "center",
    labelOffset: turned ? 40 + 0.6 * longest : 36,
  };
}

/** Return how many of the rows of each class are of each category, and which share of the class that is. */
function shares(values, levels) {
  return drawnClasses.flatMap((target) => {
    const own = values.filter((_, i) => rows.y[i] === target);
    return levels.map((level, place) => {
      const number = own.filter((value) => value === place).length;
      return { target, place, level, number, share: number / Math.max(1, own.length) };
    });
  });
}

function categoriesByClass(i, values, levels, width) {
  const high = drawnClasses.length > 6 ? 44 : 84;
  const longest = roomForClasses();
  const { below, ...scale } = categoryScale(i, levels, width - longest - 44);
  const isAll = rows.total === rows.y.length; // else the rows drawn are a sample
  return draw(`Share of each category of ${features.name[i]} in each class of ${data.target}`, {
    width,
    height: drawnClasses.length * high + below + 14,
    marginLeft: longest,
    marginRight: 44,
    marginTop: 6,
    marginBottom: below,
    fy: { domain: drawnClasses, axis: null, padding: 0.3 },
    y: { domain: [0, 1], axis: null },
    x: { type: "band", domain: d3.range(levels.length), padding: 0.25, ...scale },
    marks: [
      classNames(),
      Plot.axisY({ anchor: "right", ticks: [0, 1], tickFormat: percent, label: null }),
      Plot.gridY([0, 0.5, 1]),
      Plot.barY(shares(values, levels), {
        x: "place",
        y: "share",
        fy: "target",
        fill: ({ target }) => colour(target),
        title: ({ level, number, share }) =>
          `${level}: ${isAll ? `${count(number, "row")}, ` : ""}${percent(share)}`,
        tip: true,
      }),
    ],
  });
}

function targetByCategory(i, values, levels, width) {
  const shown = points(values);
  const means = d3.rollups(
    shown,
    (group) => d3.mean(group, ({ target }) => target),
    ({ value }) => value,
  );
  const { below, ...scale } = categoryScale(i, levels, width - margin(rows.y));
  return draw(`${data.target} in each category of ${features.name[i]}`, {
    width,
    height: Math.min(300, 0.8 * width) + below - 40,
    marginTop: 30,
    marginLeft: margin(rows.y),
    marginBottom: below,
    x: { domain: [-0.5, levels.length - 0.5], ticks: d3.range(levels.length), ...scale },
    y: axis(short(data.target, 40), { ticks: 6 }),
    marks: [
      Plot.dot(shown, {
        x: ({ i: place, value }) => value + 0.6 * spread(place),
        y: "target",
        fill: "var(--c0)",
        ...dotLook(),
        title: ({ name, value, target }) => `${name}: ${levels[value]}, ${data.target} ${figure(target)}`,
        tip: true,
      }),
      // Of censored times a mean says nothing.
      Plot.ruleY(data.task === "survival" ? [] : means, {
        x1: ([place]) => place - 0.35,
        x2: ([place]) => place + 0.35,
        y: ([, mean]) => mean,
        stroke: "var(--c1)",
        strokeWidth: 2.5,
      }),
    ],
  });
}

function againstTarget(i, values, width) {
  return draw(`${data.target} against ${features.name[i]}`, {
    width,
    height: Math.min(300, 0.8 * width),
    marginTop: 30,
    marginLeft: margin(rows.y),
    marginBottom: 40,
    x: valueAxis(values, short(features.name[i], 50)),
    y: axis(short(data.target, 40), { ticks: 6 }),
    marks: [
      Plot.dot(points(values), {
        x: "x",
        y: "target",
        fill: "var(--c0)",
        ...dotLook(),
        title: ({ name, value, target }) => `${name}: ${figure(value)}, ${data.target} ${figure(target)}`,
        tip: true,
      }),
      Plot.linearRegressionY(points(values), {
        x: "value",
        y: "target",
        stroke: "var(--c1)",
        strokeWidth: 2,
      }),
    ],
  });
}

function withPartner(i, other, width) {
  const shown = points(data.values[i], data.values[other]).filter(
    ({ target }) => !isClasses || drawnClasses.includes(target),
  );
  const inks = isClasses
    ? { fill: ({ target }) => colour(target), symbol: ({ target }) => symbol(target) }
    : { fill: "target" };
  const say = ({ name, value, other: second, target }) =>
    `${name}: ${figure(value)}, ${figure(second)}, ${isClasses ? rows.classes[target] : figure(target)}`;
  const chart = draw(`${features.name[other]} against ${features.name[i]}, coloured by ${data.target}`, {
    width,
    height: Math.min(310, 0.85 * width),
    marginTop: 30,
    marginLeft: margin(data.values[other]),
    marginBottom: 40,
    x: valueAxis(data.values[i], short(features.name[i], 50)),
    y: valueAxis(data.values[other], short(features.name[other], 40)),
    color: isClasses ? { type: "identity" } : targetScale(),
    marks: [Plot.dot(shown, { x: "x", y: "y", ...inks, ...dotLook(), title: say, tip: true })],
  });
  return [
    isClasses ? key(classKey()) : Plot.legend({ color: targetScale(), width: 220, style: LOOK }),
    chart,
  ];
}

const targetScale = () => ({
  type: "linear",
  domain: d3.extent(rows.y),
  interpolate: RAMP,
  label: short(data.target, 40),
});

function classKey() {
  const named = drawnClasses
    .filter((c) => mark.has(c))
    .map((c) => ({ text: [className(c)], ink: colour(c), symbol: KEY_SYMBOLS[mark.get(c)] }));
  return drawnClasses.length > named.length
    ? [...named, { text: ["other classes"], ink: "var(--other)", symbol: d3.symbolCircle }]
    : named;
}

/** Explain colours: each entry has its text in parts, an ink, and the kind of mark; a line by default. */
function key(entries) {
  return make(
    "ul",
    { class: "key" },
    ...entries.map((entry) => make("li", {}, keyMark(entry), ...entry.text)),
  );
}

const indexed = (letter, index) => [letter, make("sub", {}, index)];

function keyMark({ ink, symbol: shape, dashed, thick, ring }) {
  const svg = d3
    .create("svg")
    .attr("width", 16)
    .attr("height", 12)
    .attr("viewBox", "-8 -6 16 12")
    .attr("aria-hidden", "true");
  if (shape) svg.append("path").attr("d", d3.symbol(shape, 50)()).attr("fill", ink);
  else if (ring)
    svg.append("circle").attr("r", 3.5).attr("fill", "none").attr("stroke", ink).attr("stroke-width", 1.3);
  else
    svg
      .append("path")
      .attr("d", "M-8,0H8")
      .attr("stroke", ink)
      .attr("stroke-width", thick ? 6 : 2)
      .attr("stroke-dasharray", dashed ? "4 2" : null);
  return svg.node();
}
