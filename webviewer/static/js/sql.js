// The SQL page: what is on it works without this script; with it, it answers at once.

import { drawable, sortable } from "./answer.js";
import { editor } from "./editor.js";

const byId = (id) => document.getElementById(id);

const area = byId("sql");
const problem = byId("problem");
if (area) {
  const place = problem?.dataset.line ? { line: Number(problem.dataset.line), column: Number(problem.dataset.column) } : null;
  const go = editor(area, byId("gutter"), byId("ask"), place);
  byId("to-place")?.addEventListener("click", (event) => {
    event.preventDefault();
    go(place.line, place.column);
  });
}

const data = byId("sql-data") && JSON.parse(byId("sql-data").textContent);
if (data) {
  sortable(byId("table"), data);
  if (byId("chart-box")) drawable(byId("chart-box"), data);
}

// A long wait is seen, and ends with Esc or the browser's own stop: the server then stops too.
byId("ask").addEventListener("submit", () => {
  byId("ask").classList.add("asking");
});
addEventListener("pageshow", () => byId("ask").classList.remove("asking"));
document.body.dataset.ready = "true";
