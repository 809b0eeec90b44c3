// The list of hands: charts come after it, and lead to their hands; a list still growing renews
// itself where nobody is reading or writing in it.

import { chart, figures } from "./charts.js";

const box = document.getElementById("charts");
const EVERY = 1500;
/** Steps in which progress is said: each renewal would talk without end. */
const QUARTERS = 4;

async function draw() {
  try {
    const all = await figures(box.dataset.figures);
    for (const element of box.querySelectorAll("[data-figure]")) {
      const bars = all.links[element.dataset.figure];
      tell(box.querySelector(`[data-bars="${element.dataset.figure}"]`), bars);
      const figure = all[element.dataset.figure];
      if (figure.layout.height) element.style.height = `${figure.layout.height}px`;
      await chart(element, figure, box.dataset.plotly);
      element.removeAllListeners?.("plotly_click");
      element.on("plotly_click", (event) => location.assign(bars[event.points[0].pointIndex][1]));
    }
  } catch (error) {
    box.textContent = `${box.dataset.failed} ${error.said ?? ""}`;
  }
}

/** What the bars say, as links: for the keyboard, and for whoever does not see them. */
function tell(list, bars) {
  const items = bars.map(([said, address]) => {
    const link = document.createElement("a");
    link.href = address;
    link.textContent = said;
    const item = document.createElement("li");
    item.append(link);
    return item;
  });
  list.replaceChildren(...items);
}

/** Once, when the list is there and the reader has the charts open; phones begin with them shut. */
function drawWhenOpen() {
  if (!box.open || box.dataset.drawn) return;
  box.dataset.drawn = "true";
  (window.requestIdleCallback ?? setTimeout)(draw);
}

const isNarrow = matchMedia("(max-width: 760px)").matches;
if (isNarrow) document.getElementById("filters").open = false;
if (box) {
  if (isNarrow) box.open = false;
  box.addEventListener("toggle", drawWhenOpen);
  drawWhenOpen();
}

/** Whether a part of the page may be replaced: nobody has the focus or a selection in it. */
function isIdle(part) {
  const selection = document.getSelection();
  const isSelected = selection && !selection.isCollapsed && selection.containsNode(part, true);
  return !part.contains(document.activeElement) && !isSelected;
}

/** Take over what is new; a part that is being used stays as it is until it is left. */
function renew(fresh) {
  let isWhole = true;
  for (const part of document.querySelectorAll("[data-fresh]")) {
    const other = fresh.querySelector(`[data-fresh="${part.dataset.fresh}"]`);
    if (!other || part.innerHTML === other.innerHTML) continue;
    if (isIdle(part)) part.replaceChildren(...document.adoptNode(other).childNodes);
    else isWhole = false;
  }
  return isWhole;
}

const scanning = document.getElementById("scanning");
const said = document.getElementById("said");
let quarter = 0;

function showProgress(there) {
  const bar = scanning.querySelector("progress");
  const now = there.querySelector("progress");
  bar.max = now.max;
  bar.value = now.value;
  const sentence = there.querySelector("#scanning-text").textContent;
  document.getElementById("scanning-text").textContent = sentence;
  const reached = Math.floor((QUARTERS * now.value) / now.max);
  if (reached > quarter) said.textContent = sentence;
  quarter = reached;
}

async function ask() {
  let isDone = false;
  try {
    const answer = await fetch(location.href);
    if (!answer.ok) throw new Error(answer.status);
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    const there = fresh.getElementById("scanning");
    if (there) showProgress(there);
    else if (!scanning.hidden) {
      scanning.hidden = true;
      said.textContent = fresh.getElementById("said").dataset.done;
      if (box?.dataset.drawn) draw();
    }
    isDone = renew(fresh) && !there;
  } catch {
    // the server may be busy, or gone: what is shown stays, and is asked for again
  }
  if (!isDone) setTimeout(ask, EVERY);
}

if (scanning) setTimeout(ask, EVERY);
