// The table of features: sorted, filtered, walked through by keys.

const PAGE = 25;
const MORE = 100;

const state = { sort: "rank", down: false, shown: PAGE, order: [], chosen: 0 };

const partner = (i) => features.partner[i]?.[0] ?? "";
const named = (i) => (features.named[i] ?? []).join(", ");
const effect = (i) => features.effects[features.effect[i]];
const COLUMNS = [
  { key: "rank", title: "Rank", kind: "number", of: (i) => i + 1, show: String },
  { key: "name", title: "Feature", kind: "name", of: (i) => features.name[i] },
  { key: "selected", title: "Selected", kind: "flag", of: (i) => features.selected[i], down: true },
  { key: "score", title: "Score", kind: "number", of: (i) => features.score[i], show: fixed(3), down: true },
  {
    key: "picked",
    title: "Picked",
    kind: "number share",
    of: (i) => features.frequency[i],
    show: percent,
    down: true,
  },
  { key: "q", title: "q-value", kind: "number", of: (i) => features.q?.[i] ?? null, show: fixed(3) },
  {
    key: "effect",
    title: "Effect",
    kind: features.effects.every((words) => words.length <= 28) ? "word short" : "word",
    of: effect,
    show: String,
  },
  { key: "partner", title: "Partner", kind: "word", of: partner, show: (name) => name || "–" },
  { key: "named", title: "Named by", kind: "word", of: named, show: (kinds) => kinds || "–" },
].filter(
  (column) =>
    (column.key !== "q" || features.q) &&
    (column.key !== "partner" || Object.keys(features.partner).length) &&
    (column.key !== "named" || Object.keys(features.named).length),
);

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
  return d3
    .range(n)
    .filter(
      (i) =>
        (!onlySelected || features.selected[i]) &&
        (!words || has(features.name[i]) || has(effect(i)) || has(partner(i))),
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
    head.append(
      make("th", { scope: "col", class: column.kind.split(" ")[0], "data-key": column.key }, button),
    );
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
  const found =
    state.order.length === n
      ? count(n, "feature")
      : `${state.order.length.toLocaleString("en")} of ${count(n, "feature")}`;
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
  else if (column.key === "selected")
    cell.append(value ? make("span", { class: "yes", role: "img", "aria-label": "selected" }, "✓") : "");
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
