// Notes and bookmarks: kept in this browser, taken out and in as a file.

export class Notes {
  constructor(panel, marks, words, data) {
    Object.assign(this, { panel, marks, words, data });
    this.step = null;
    this.go = () => {};
  }

  /** `go` takes whoever clicks to an event; `steps` are those of the hand. */
  wire(go, steps) {
    Object.assign(this, { go, steps });
  }

  /** Put a bookmark at the step that the table shows, or take it away. */
  mark() {}

  /** The table shows another step. */
  draw(step) {
    this.step = step;
  }
}
