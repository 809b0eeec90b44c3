// The SQL page: what is on it works without this script; with it, it answers at once.

import { drawable, fitted, sortable } from "./answer.js";
import { editor } from "./editor.js";

const byId = (id) => document.getElementById(id);

const area = byId("sql");
const problem = byId("problem");
if (area) {
  const place = problem?.dataset.line ? { line: Number(problem.dataset.line), column: Number(problem.dataset.column) } : null;
  const go = editor(area, byId("gutter"), byId("ask"), place);
  // What is wrong is mended where it is; what is still to be filled in is filled in first.
  if (problem) history.replaceState(null, "", location.pathname + location.search); // #answer would take the focus away
  if (place) go(place.line, place.column);
  else if (problem) area.focus();
  else if (!byId("answer")) byId("fields")?.querySelector("input, select").focus();
  byId("to-place")?.addEventListener("click", (event) => {
    event.preventDefault();
    go(place.line, place.column);
  });
}

const data = byId("sql-data") && JSON.parse(byId("sql-data").textContent);
if (data) {
  sortable(byId("table"), data);
  fitted(byId("answer").querySelector(".answer-scroll"));
  // On a phone the answer lies below the screen, and it is what one asked for.
  if (location.hash === "#answer") byId("answer").focus();
  else if (matchMedia("(max-width: 760px)").matches) byId("answer").scrollIntoView();
  if (byId("chart-box")) drawable(byId("chart-box"), data);
}

// Of many ready questions, those with the words that are typed.
const find = byId("find");
find.parentElement.hidden = false;
find.addEventListener("input", () => {
  const wanted = find.value.toLowerCase().split(/\s+/);
  for (const group of byId("ready").children) {
    const lines = Array.from(group.querySelectorAll("li"));
    for (const line of lines) {
      const text = line.textContent.toLowerCase();
      line.hidden = !wanted.every((word) => text.includes(word));
    }
    group.hidden = lines.every((line) => line.hidden);
  }
});
byId("to-ready")?.addEventListener("click", (event) => {
  event.preventDefault();
  byId("ready-box").open = true;
  find.focus();
});
if (byId("tables") && matchMedia("(max-width: 1000px)").matches) byId("tables").open = false;

// A long wait is seen, and ends with Esc or the browser's own stop: the server then stops too.
byId("ask").addEventListener("submit", () => {
  byId("ask").classList.add("asking");
});
addEventListener("pageshow", () => byId("ask").classList.remove("asking"));
document.body.dataset.ready = "true";
