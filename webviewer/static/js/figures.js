// Pages of figures: each section is asked for by itself, drawn, and told as a table whose cells lead on.

import { chart, figures as fetched } from "./charts.js";

const box = document.getElementById("figures");
const progress = document.getElementById("progress");
const AT_ONCE = 2;

function made(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** A phone folds tables of so few rows: each cell stands in a line of its own, its head before it. */
const FOLDED = 8;

function cell(value, head, isNumber) {
  const text = made("bdi", {}, value.text);
  const attributes = { "data-head": head, ...(isNumber ? { class: "num" } : {}) };
  return made("td", attributes, value.href ? made("a", { href: value.href }, text) : text);
}

/** The same table that the server makes for those without scripts. */
function grid(table, title) {
  const number = (at) => at >= table.words;
  const heads = table.heads.map((head, at) => made("th", { scope: "col", ...(number(at) ? { class: "num" } : {}) }, head));
  const rows = table.rows.map((row) => made("tr", {}, ...row.map((value, at) => cell(value, table.heads[at], number(at)))));
  return made("div", { class: "figure-scroll", tabindex: "0", role: "region", "aria-label": title },
    made("table", { class: rows.length <= FOLDED ? "figure-table folds" : "figure-table" },
      made("caption", { class: "hidden" }, title),
      made("thead", {}, made("tr", {}, ...heads)),
      made("tbody", {}, ...rows)));
}

async function drawn(body, figure, title) {
  const element = made("div", { class: "chart", role: "img", "aria-label": `${title} – ${box.dataset.chart}` });
  if (figure.layout.height) element.style.height = `${figure.layout.height}px`;
  body.prepend(element);
  try {
    await chart(element, figure, box.dataset.plotly);
  } catch {
    element.replaceWith(made("p", { class: "hint" }, box.dataset.failed));
    return;
  }
  element.on("plotly_click", ({ points }) => {
    const address = points[0]?.customdata;
    if (address) location.assign(address);
  });
}

async function fill(section) {
  const title = section.querySelector("h2").textContent;
  const body = section.querySelector(".figure-body");
  let part;
  try {
    part = await fetched(section.querySelector("template").dataset.source);
  } catch (error) {
    // The link to the table stays: it may work where this did not.
    const said = `${box.dataset.failed} ${error.said ?? ""}`.trim();
    body.append(made("p", { class: "hint", role: "alert" }, said));
    return;
  }
  if (!section.dataset.keep) {
    const says = part.sentences.map((sentence) => made("p", { class: "figure-says" }, sentence));
    body.replaceChildren(...says, ...(part.table.rows.length ? [grid(part.table, title)] : []));
  }
  if (part.figure) await drawn(body, part.figure, title);
  section.dataset.filled = "true";
}

async function all(sections) {
  let done = 0;
  const waiting = [...sections];
  const tell = () => {
    if (!progress) return;
    progress.hidden = false;
    progress.textContent = done < sections.length
      ? progress.dataset.says.replace("{done}", done).replace("{all}", sections.length)
      : progress.dataset.done;
  };
  tell();
  const work = async () => {
    while (waiting.length) {
      await fill(waiting.shift());
      done += 1;
      tell();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

if (box) {
  await all(Array.from(box.querySelectorAll("[data-part]")));
  // What the address points to has moved while the sections above it were filled.
  if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
}
document.body.dataset.ready = "true";
