// The list of hands: charts come when they are scrolled to; a list still growing asks again.

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

if (box) {
  const watch = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    watch.disconnect();
    draw();
  });
  watch.observe(box);
}

const scanning = document.getElementById("scanning");
const asking = document.querySelector(".filters");
if (scanning) {
  setTimeout(() => {
    if (!asking.contains(document.activeElement)) location.reload();
  }, 1500);
}
