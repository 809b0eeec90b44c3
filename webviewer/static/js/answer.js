// The answer: sorted without asking again, and drawn as a chart of its columns.

import { chart } from "./charts.js";
import { fill } from "./draw.js";

const COLOURS = ["#c2592e", "#2f6fa8", "#8a6a14", "#8d5ba6", "#2d7a5f", "#b84a45", "#557686", "#946c9e"];
const DASHES = ["solid", "dash", "dot", "dashdot"];
const MOST_SERIES = 16;

/** A sort key: numbers that came as text are numbers; what is none stands behind all others. */
function numeric(value) {
  if (typeof value === "number") return value;
  // integers beyond 2^53 came as text, so that no digit is lost: here too they stay whole
  if (/^-?\d+$/.test(value)) return BigInt(value);
  const found = Number(value);
  return Number.isNaN(found) ? Infinity : found;
}

const written = (value) => (typeof value === "string" ? value : JSON.stringify(value));

function before(a, b) {
  if (a < b) return -1;
  return a > b ? 1 : 0;
}

/** The order of rows by a column: their indexes, NULL last either way. */
export function order(rows, column, isNumber, isDescending) {
  const key = isNumber ? numeric : written;
  const keyed = rows.map((row, at) => ({ at, value: row[column] }));
  const there = keyed.filter(({ value }) => value !== null).map(({ at, value }) => ({ at, key: key(value) }));
  there.sort((a, b) => (isDescending ? before(b.key, a.key) : before(a.key, b.key)) || a.at - b.at);
  return [...there, ...keyed.filter(({ value }) => value === null)].map(({ at }) => at);
}

/** Heads sort what is there; the address says how, and keeps the rest. */
export function sortable(table, data) {
  const heads = Array.from(table.querySelectorAll("thead th:not(.go)"));
  const body = table.tBodies[0];
  const rows = Array.from(body.rows);
  heads.forEach((head, column) => {
    head.querySelector("button").addEventListener("click", (event) => {
      event.preventDefault();
      const isDescending = head.getAttribute("aria-sort") === "ascending";
      for (const other of heads) other.setAttribute("aria-sort", "none");
      head.setAttribute("aria-sort", isDescending ? "descending" : "ascending");
      body.append(...order(data.rows, column, data.numbers[column], isDescending).map((at) => rows[at]));
      say({ sort: data.columns[column], order: isDescending ? "desc" : "", down: "" });
    });
  });
}

/** What fits needs no box that scrolls; of what is wider the bar stays in sight below it. */
export function fitted(box) {
  const bar = document.createElement("div");
  bar.className = "sideways";
  bar.append(document.createElement("div"));
  bar.setAttribute("aria-hidden", "true");
  box.after(bar);
  const measure = () => {
    const isFit = box.scrollWidth <= box.clientWidth;
    box.classList.toggle("fits", isFit);
    bar.hidden = isFit || box.getBoundingClientRect().height < innerHeight;
    bar.firstChild.style.width = `${box.scrollWidth}px`;
  };
  box.addEventListener("scroll", () => {
    bar.scrollLeft = box.scrollLeft;
  });
  bar.addEventListener("scroll", () => {
    box.scrollLeft = bar.scrollLeft;
  });
  new ResizeObserver(measure).observe(box);
  measure();
}

/** Put words into the address, without a page of its own for each. */
export function say(words) {
  const address = new URL(location.href);
  for (const [name, value] of Object.entries(words)) {
    if (value) address.searchParams.set(name, value);
    else address.searchParams.delete(name);
  }
  history.replaceState(null, "", address);
  const form = document.getElementById("ask");
  for (const name of ["chart", "x", "y", "colour"]) {
    if (!(name in words)) continue;
    let field = form.querySelector(`input[type=hidden][name=${name}]`);
    if (!field) {
      field = document.createElement("input");
      field.type = "hidden";
      field.name = name;
      form.append(field);
    }
    field.value = words[name];
    field.disabled = !words[name];
  }
  const language = document.getElementById("language");
  const other = new URL(language.href);
  for (const [name, value] of Object.entries(words)) {
    if (value) other.searchParams.set(name, value);
    else other.searchParams.delete(name);
  }
  language.href = other;
}

/** Plotly reads markup in texts, and these may be anybody's. */
const plain = (value) => (value === null ? "NULL" : written(value).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;"));

/** A value of a column in the words of the page, if it has some. */
const said = (data, at, value) => data.said[at]?.[value] ?? plain(value);

/** What is drawn of rows that share their x: bars of whole numbers add up, all else is drawn apart. */
function together(kind, series, atX, isWhole) {
  const key = (row) => JSON.stringify(row[atX]);
  let repeated = 0;
  for (const rows of series.values()) {
    const times = new Map();
    for (const row of rows) times.set(key(row), (times.get(key(row)) ?? 0) + 1);
    for (const n of times.values()) if (n > 1) repeated += n;
  }
  return { repeated, kind: kind === "bar" && repeated && !isWhole ? "scatter" : kind };
}

/** One row for each x, with the sum of y. */
function added(rows, atX, atY) {
  const sums = new Map();
  for (const row of rows) {
    const key = JSON.stringify(row[atX]);
    if (!sums.has(key)) sums.set(key, row.with(atY, 0));
    sums.get(key)[atY] += Number(row[atY]);
  }
  return Array.from(sums.values());
}

/** The figure of some columns: one series, or one for each value of the column `colour`. */
export function figure(data, { kind: asked, x, y, colour }) {
  const [atX, atY, atColour] = [x, y, colour].map((name) => data.columns.indexOf(name));
  const series = new Map();
  const all = new Set(atColour < 0 ? [] : data.rows.filter((row) => row[atY] !== null).map((row) => said(data, atColour, row[atColour])));
  for (const row of data.rows) {
    if (row[atY] === null) continue;
    const name = atColour < 0 ? "" : said(data, atColour, row[atColour]);
    if (!series.has(name) && series.size === MOST_SERIES) continue;
    if (!series.has(name)) series.set(name, []);
    series.get(name).push(row);
  }
  const isText = !data.numbers[atX] && !isTime(data.rows, atX);
  const { kind, repeated } = together(asked, series, atX, data.whole[atY]);
  if (kind === "bar") for (const [name, rows] of series) series.set(name, added(rows, atX, atY));
  const value = (at, cell) => (data.numbers[at] ? Number(cell) : said(data, at, cell));
  const title = (at) => plain(data.titles[at]);
  const traces = Array.from(series, ([name, rows], at) => ({
    ...look(kind, at),
    name: name || title(atY),
    x: inOrder(kind, rows, atX, isText).map((row) => value(atX, row[atX])),
    y: inOrder(kind, rows, atX, isText).map((row) => value(atY, row[atY])),
  }));
  return { data: traces, layout: layout(title(atX), title(atY), isText, traces.length > 1), colours: all.size, repeated: asked === "bar" ? repeated : 0, isApart: kind !== asked };
}

/** A line goes from left to right, whatever order the rows are in. */
function inOrder(kind, rows, at, isText) {
  if (kind !== "line" || isText) return rows;
  return [...rows].sort((a, b) => before(a[at], b[at]));
}

function isTime(rows, at) {
  const some = rows.map((row) => row[at]).filter((value) => value !== null);
  return some.length > 0 && some.every((value) => typeof value === "string" && /^\d{4}-\d\d(-\d\d|$)/.test(value));
}

function look(kind, at) {
  const color = COLOURS[at % COLOURS.length];
  if (kind === "bar") return { type: "bar", marker: { color } };
  if (kind === "line") return { type: "scatter", mode: "lines+markers", line: { color, width: 2, dash: DASHES[at % DASHES.length] }, marker: { size: 5, symbol: at } };
  return { type: "scatter", mode: "markers", marker: { color, size: 7, symbol: at, opacity: 0.8 } };
}

function layout(x, y, isText, isMany) {
  return {
    margin: { l: 56, r: 14, t: 14, b: 56 },
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { family: "system-ui, 'Noto Sans CJK SC', sans-serif", size: 12 },
    xaxis: { title: { text: x }, automargin: true, ...(isText ? { type: "category" } : {}) },
    yaxis: { title: { text: y }, automargin: true, separatethousands: true },
    showlegend: isMany,
    legend: { orientation: "h", y: 1.12 },
    barmode: "group",
    height: 380,
  };
}

const distinct = (rows, at) => new Set(rows.map((row) => JSON.stringify(row[at]))).size;

/** What is drawn if nobody said: the first column against the first number beside it.

 *  Where x repeats, a further column of words tells its rows apart by colour. */
function guess(data) {
  const ids = new Set(["hand", "event", "log_id"]);
  const y = data.columns.findIndex((name, at) => at > 0 && data.numbers[at] && !ids.has(name));
  const x = Math.max(0, data.columns.findIndex((name, at) => at !== y && name !== "hand_id"));
  const isRepeated = distinct(data.rows, x) < data.rows.length;
  const colour = data.columns.findIndex((name, at) => {
    if (!isRepeated || at === x || at === y || data.numbers[at] || name === "hand_id" || isTime(data.rows, at)) return false;
    return distinct(data.rows, at) <= MOST_SERIES;
  });
  return { x: data.columns[x], y: data.columns[Math.max(0, y)], colour: data.columns[colour] ?? "" };
}

/** The box with the choices; drawn when it is opened, and again when a choice changes. */
export function drawable(box, data) {
  const element = document.getElementById("chart");
  const choices = Object.fromEntries(["kind", "x", "y", "colour"].map((name) => [name, document.getElementById(`chart-${name}`)]));
  const chosen = () => Object.fromEntries(Object.entries(choices).map(([name, select]) => [name, select.value]));
  if (!data.drawing) for (const [name, value] of Object.entries(guess(data))) choices[name].value = value;
  const draw = async () => {
    const drawn = figure(data, chosen());
    if (!drawn.data.length || !data.numbers[data.columns.indexOf(chosen().y)]) {
      window.Plotly?.purge(element);
      element.textContent = data.nothing;
      return;
    }
    const note = document.getElementById("chart-note");
    const notes = [];
    if (drawn.colours > MOST_SERIES) notes.push(fill(data.many, { n: MOST_SERIES, all: drawn.colours }));
    if (drawn.repeated) notes.push(fill(drawn.isApart ? data.apart : data.added, { n: drawn.repeated }));
    note.hidden = notes.length === 0;
    note.textContent = notes.join(" ");
    if (!element.querySelector(".plot-container")) element.replaceChildren();
    try {
      await chart(element, drawn, data.plotly);
    } catch {
      element.textContent = data.failed;
    }
  };
  const tell = () => {
    const { kind, x, y, colour } = chosen();
    say({ chart: kind, x, y, colour });
  };
  for (const select of Object.values(choices)) {
    select.addEventListener("change", () => {
      tell();
      draw();
    });
  }
  box.addEventListener("toggle", () => {
    if (!box.open) return;
    if (!data.drawing) tell();
    draw();
  });
  box.hidden = false;
  if (box.open) draw();
}
