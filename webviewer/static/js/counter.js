// The card counter: which cards are still out, as the seat at the bottom can know it.

export class Counter {
  constructor(box, pen, words) {
    Object.assign(this, { box, pen, words });
    this.isOn = false;
  }

  toggle() {
    this.isOn = !this.isOn;
  }

  /** The table shows another step, seen from another place. */
  draw() {
    this.box.hidden = !this.isOn;
  }
}
