// Beside the table: charts over the events of the hand, as the page's eye sees them. A click goes to the
// event, and a thin line marks the one that the table shows. Below them stands the same as tables.

import { chart, figures, markAt } from "./charts.js";
import { el, fill } from "./draw.js";

const PAUSE = 120; // ms between two moves of the line: whoever runs through a hand waits for none

export class Beside {
  constructor(panel, words, data) {
    Object.assign(this, { panel, words, data });
    this.box = panel.querySelector("#chart");
    this.tables = el("div", "chart-tables");
    this.box.after(this.tables);
    this.known = new Map(); // eye -> what is drawn for it
    this.eye = null; // whose charts are drawn, or are being drawn
    this.isDrawn = false;
    this.here = null; // the step and the place that the table shows
    this.timer = null;
    this.marked = 0;
    this.go = () => {};
  }

  /** `go` takes whoever clicks to an event. */
  wire(go) {
    this.go = go;
  }

  /** The panel is looked at. */
  open(steps, place, isCovered) {
    const step = steps[place.event - 1] ?? this.here?.step;
    if (step) this.draw(step, place, isCovered);
  }

  /** The table shows another step. Charts tell what comes: while some of it is covered there are none. */
  draw(step, place, isCovered) {
    this.here = { step, place };
    if (this.panel.hidden || isCovered) return;
    const eye = place.hide ? String(place.seat) : "";
    if (eye !== this.eye) this.redraw(eye);
    else this.mark();
  }

  async redraw(eye) {
    this.eye = eye;
    this.clear();
    try {
      const found = await this.load(eye);
      if (eye === this.eye) await this.put(found, eye);
    } catch (error) {
      if (eye !== this.eye) return;
      this.eye = null; // looked at again it is asked for again
      this.box.textContent = `${this.words.chart_failed} ${error.said ?? ""}`;
    }
  }

  /** What another eye sees goes, before the charts of this one are asked for. */
  clear() {
    this.isDrawn = false;
    window.Plotly?.purge(this.box);
    this.box.replaceChildren();
    this.box.removeAttribute("aria-label");
    this.box.removeAttribute("role");
    this.tables.replaceChildren();
  }

  async load(eye) {
    if (!this.known.has(eye)) {
      const sees = eye ? `${this.data.charts.includes("?") ? "&" : "?"}eye=${eye}` : "";
      this.known.set(eye, (await figures(this.data.charts + sees)).steps);
    }
    return this.known.get(eye);
  }

  async put(found, eye) {
    const { box, words, tables } = this;
    if (!found) {
      box.textContent = words.chart_none;
      return;
    }
    box.style.height = `${found.figure.layout.height}px`;
    box.setAttribute("role", "img");
    const titles = found.tables.map(({ title }) => title).join(", ");
    box.setAttribute("aria-label", fill(words.chart_label, { titles }));
    // The layout that is drawn is changed in place: each drawing has its own.
    await chart(box, structuredClone(found.figure), this.data.plotly);
    if (eye !== this.eye) return;
    box.removeAllListeners?.("plotly_click");
    box.on("plotly_click", (click) => this.go({ event: click.points[0].x }));
    const all = el("details", "", el("summary", "", words.chart_table), ...found.tables.map((table) => this.table(table)));
    tables.append(all);
    this.isDrawn = true;
    this.marked = 1;
    this.mark();
  }

  /** Move the line to the step that the table shows, but not with every step of a run. */
  mark() {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      const { n } = this.here.step;
      if (!this.isDrawn || this.panel.hidden || n === this.marked) return;
      this.marked = n;
      markAt(this.box, n);
    }, PAUSE);
  }

  table({ title, trick, names, rows }) {
    const heads = [el("th", "", trick), ...names.map((name) => el("th", "num", el("bdi", "", name)))];
    for (const head of heads) head.scope = "col";
    const body = el("tbody", "", ...rows.map((row) => this.line(row)));
    const made = el("table", "chart-table", el("caption", "", title), el("thead", "", el("tr", "", ...heads)), body);
    return made;
  }

  /** The values when a trick was over; its number goes to that event. */
  line([trick, step, values]) {
    const button = el("button", "goto", String(trick));
    button.type = "button";
    button.dataset.event = step;
    button.title = fill(this.words.notes_step, { step });
    const head = el("th", "", button);
    head.scope = "row";
    return el("tr", "", head, ...values.map((value) => el("td", "num", value === null ? "" : String(value))));
  }
}
