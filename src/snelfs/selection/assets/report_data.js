// What the report holds, and small things that all of its script uses.

const data = JSON.parse(document.getElementById("data").textContent);
const { features, rows, training } = data;
const isClasses = data.task === "classification";
const n = features.name.length;

/** Of several labels, make one the target of the pictures: two classes, of rows without it and with it. */
function turnTo(label = 0) {
  if (!data.labels) return;
  const { names, sizes, marks } = data.labels;
  data.target = names[label];
  rows.y = Array.from(marks[label], Number);
  rows.classes = [`without ${names[label]}`, `with ${names[label]}`];
  rows.sizes = [rows.total - sizes[label], sizes[label]];
}

turnTo();

const find = (id) => document.getElementById(id);

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

/** Write a number as people do: 0.05, 1999, 20,000; by a power of ten only if it is very small or large. */
function figure(value) {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e12)) return d3.format(".4~e")(value);
  return value.toLocaleString("en", { maximumSignificantDigits: 12, useGrouping: "min2" });
}

/** Return numbers within ±½ that lie evenly however many there are, for dots side by side. */
const spread = (i) => ((i * 0.6180339887 + 0.5) % 1) - 0.5;
