// The list of hands: charts come after it; a list still growing asks again.

import { chart, figures } from "./charts.js";

const box = document.getElementById("charts");

async function draw() {
  try {
    const all = await figures(box.dataset.figures);
    for (const element of box.querySelectorAll("[data-figure]")) {
      await chart(element, all[element.dataset.figure], box.dataset.plotly);
    }
  } catch {
    box.textContent = box.dataset.failed;
  }
}

/** Once, when the list is there and the reader has the charts open; phones begin with them shut. */
function drawWhenOpen() {
  if (!box.open || box.dataset.drawn) return;
  box.dataset.drawn = "true";
  (window.requestIdleCallback ?? setTimeout)(draw);
}

if (box) {
  if (matchMedia("(max-width: 760px)").matches) box.open = false;
  box.addEventListener("toggle", drawWhenOpen);
  drawWhenOpen();
}

const scanning = document.getElementById("scanning");
const asking = document.querySelector(".filters");
if (scanning) {
  setTimeout(() => {
    if (!asking.contains(document.activeElement)) location.reload();
  }, 1500);
}
