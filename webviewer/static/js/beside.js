// Beside the table: charts over the hand; a click on one leads to the event.

import { chart, figures } from "./charts.js";

export class Beside {
  constructor(panel, words, data) {
    Object.assign(this, { panel, words, data });
    this.box = panel.querySelector("#chart");
    this.isDrawn = false;
    this.steps = [];
    this.go = () => {};
  }

  /** `go` takes whoever clicks to an event. */
  wire(go) {
    this.go = go;
  }

  /** The panel is looked at: draw it, once. */
  async open(steps) {
    this.steps = steps;
    if (this.isDrawn) return;
    this.isDrawn = true;
    const { box, words, data } = this;
    try {
      const { points } = await figures(data.charts);
      if (!points) {
        box.textContent = words.chart_none;
        return;
      }
      await chart(box, points, data.plotly);
      box.on("plotly_click", (click) => {
        const first = this.steps.find((step) => step.t === Math.max(1, click.points[0].x));
        if (first) this.go({ event: first.n });
      });
    } catch {
      box.textContent = words.chart_failed;
    }
  }

  /** The table shows another step. */
  draw() {}
}
