// The page: one feature beside the table, colours, printing, and what the reader does.

function choose(i, follow = false) {
  state.chosen = i;
  for (const row of find("table").tBodies[0].rows) {
    if (Number(row.dataset.place) === i) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
  }
  drawDetail();
  if (follow && window.matchMedia("(max-width: 60rem)").matches)
    find("detail").scrollIntoView({ block: "start" });
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
  const words = [
    `rank ${i + 1}${features.selected[i] ? ", selected" : ""}`,
    `picked by ${percent(features.frequency[i])} of restarts`,
  ];
  if (named(i)) words.push(`named by ${named(i)}`);
  if (features.q) words.push(`q-value ${fixed(3)(features.q[i])}`);
  return [...words, `${effect(i)} (strength ${fixed(2)(features.strength[i])})`];
}

function detailCharts(i) {
  const values = data.values[i];
  if (!values)
    return [
      make(
        "p",
        { class: "muted" },
        `This report holds the values of ${count(Object.keys(data.values).length, "leading feature")}, and not of this one.`,
      ),
    ];
  const width = Math.max(240, find("detail-charts").clientWidth);
  turnTo(data.labels?.of[i]);
  const alone = isClasses
    ? panel(`By ${data.target}${someClasses()}`, ofClasses(i, values, width))
    : panel(`Against ${data.target}`, ofNumbers(i, values, width));
  const [name, other] = features.partner[i] ?? [];
  if (!name || !data.values[other]) return [alone];
  turnTo(data.labels?.pair[i]);
  const told = data.labels ? `, by ${data.target}` : "";
  return [alone, panel(`With its partner, ${name}${told}`, ...withPartner(i, other, width))];
}

const ofClasses = (i, values, width) =>
  data.categories[i]
    ? categoriesByClass(i, values, data.categories[i], width)
    : byClass(i, values, width);

const ofNumbers = (i, values, width) =>
  data.categories[i]
    ? targetByCategory(i, values, data.categories[i], width)
    : againstTarget(i, values, width);

const someClasses = () =>
  drawnClasses.length < rows.classes.length
    ? `, the ${drawnClasses.length} largest of ${rows.classes.length} classes`
    : "";

const panel = (title, ...parts) => make("figure", {}, make("figcaption", {}, title), ...parts);

// -- page

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
  closed.forEach((element) => {
    element.open = true;
  });
  window.addEventListener(
    "afterprint",
    () =>
      closed.forEach((element) => {
        element.open = false;
      }),
    { once: true },
  );
}

function listen() {
  find("filter").addEventListener("input", () => {
    state.shown = PAGE;
    arrange();
  });
  find("only-selected").addEventListener("change", () => {
    state.shown = PAGE;
    arrange();
  });
  document.querySelector("form.tools").addEventListener("submit", (event) => event.preventDefault());
  find("more").addEventListener("click", () => {
    state.shown += MORE;
    drawTable();
  });
  const body = find("table").tBodies[0];
  body.addEventListener("click", (event) => {
    const row = event.target.closest("tr");
    if (row) choose(Number(row.dataset.place), true);
  });
  body.addEventListener("keydown", walk);
  find("previous").addEventListener("click", () => step(-1));
  find("next").addEventListener("click", () => step(1));
  find("theme").addEventListener("click", () =>
    showTheme(find("theme").getAttribute("aria-pressed") === "true" ? "light" : "dark"),
  );
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

function hintAtScrolling() {
  const { scrollWidth, clientWidth } = document.querySelector(".scroll");
  find("scroll-hint").hidden = scrollWidth <= clientWidth;
}

function drawPictures() {
  hintAtScrolling();
  drawDetail();
  drawSizes();
  drawTraining();
}

/** Explain no column that is not there. */
function leaveOut(selector) {
  document.querySelectorAll(selector).forEach((element) => element.remove());
}

if (!features.q) leaveOut(".with-q");
if (!Object.keys(features.partner).length) leaveOut(".with-partner");
drawHead();
arrange();
drawPictures();
listen();
watchWidth();
showTheme();
