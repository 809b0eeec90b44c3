// The card counter: how many of each face are still out, as the seat at the bottom can know it.
// What it says is all cards less those played, less its own, less a bottom that it has seen.

import { stands } from "./controls.js";
import { SIGNS, codes, el, fill } from "./draw.js";

const LOW = "(min-width: 1001px) and (max-height: 1000px)"; // no room for it below the table
const FACES = 54;
const SUITS = "dchs";

/** How often each face is out for a seat. Looked at with one eye, the server has counted. */
export function counted(board, seat) {
  if (board.out) return Array.from(board.out, (digit) => parseInt(digit, 36));
  const counts = new Array(FACES).fill(0);
  for (const [number, view] of board.seats.entries()) {
    if (number !== seat) for (const code of codes(view.c ?? "")) counts[code] += 1;
  }
  if (!board.knows.includes(seat)) for (const code of codes(board.below)) counts[code] += 1;
  return counts;
}

export class Counter {
  constructor(box, pen, words) {
    Object.assign(this, { box, pen, words });
    // It may scroll: then it must be reached by keyboard, and say what it is.
    box.tabIndex = 0;
    box.setAttribute("role", "group");
    box.setAttribute("aria-labelledby", "counter-title");
    const strip = box.closest(".strip");
    stands(LOW, () => document.querySelector(".side").append(strip), () => document.querySelector(".stage .dock").before(strip));
    this.isOn = false;
    this.here = null; // the step and the place that the table shows
    this.made = null; // the order and the trumps that the rows were made for
    this.cells = []; // of each cell its faces, its element, and the number in it
  }

  toggle() {
    this.isOn = !this.isOn;
    if (this.here) this.draw(...this.here);
  }

  /** The table shows another step, seen from another place. */
  draw(step, place) {
    this.here = [step, place];
    this.box.hidden = !this.isOn;
    if (!this.isOn) return;
    const { board } = step;
    const isDealt = board?.seats.some((seat) => seat.n > 0) || board?.trick > 0;
    if (!isDealt) {
      this.made = null;
      this.box.replaceChildren(this.nothing());
      return;
    }
    const counts = counted(board, place.seat);
    if (this.made !== `${board.order} ${board.trumps}`) this.make(board);
    this.fill(counts, place.seat);
  }

  nothing() {
    const none = el("p", "counter-none", this.words.counter_none);
    none.id = "counter-title";
    return none;
  }

  /** Rows for a game with these trumps, or for one without any. */
  make(board) {
    this.made = `${board.order} ${board.trumps}`;
    this.cells = [];
    this.title = el("p", "counter-title");
    this.title.id = "counter-title";
    const rows = board.trumps ? this.bySuit(board) : this.byRank();
    this.box.replaceChildren(this.title, ...rows);
  }

  /** Jokers apart, and each rank whatever its suits. */
  byRank() {
    const ranks = Array.from({ length: 13 }, (_, at) => 12 - at);
    return [
      this.row(this.words.counter_jokers, "joker", [53, 52].map((code) => [this.pen.faces[code][2], [code]])),
      this.row(this.words.counter_ranks, "ranks", ranks.map((rank) => [this.pen.faces[4 * rank][0], [0, 1, 2, 3].map((suit) => 4 * rank + suit)])),
    ];
  }

  /** Trumps apart, from the highest down, and then each suit without its trumps. */
  bySuit(board) {
    const trumps = codes(board.trumps).reverse();
    const rows = [this.row(this.words.counter_trumps, "trumps", trumps.map((code) => [this.pen.faces[code][2], [code]]))];
    const plain = codes(board.order).filter((code) => !trumps.includes(code)).reverse();
    for (const suit of [3, 2, 1, 0]) {
      const faces = plain.filter((code) => code % 4 === suit);
      if (!faces.length) continue;
      const name = this.words[`counter_suit_${SUITS[suit]}`];
      const head = el("span", `suit-${SUITS[suit]}`, el("span", "", SIGNS[SUITS[suit]]), el("span", "hidden", name));
      head.firstChild.setAttribute("aria-hidden", "true");
      rows.push(this.row(head, "suit", faces.map((code) => [this.pen.faces[code][0], [code]])));
    }
    return rows;
  }

  row(head, className, cells) {
    const list = el("ul", "");
    for (const [label, faces] of cells) {
      const number = el("span", "counter-n", "");
      const suit = faces.length === 1 ? ` suit-${this.pen.faces[faces[0]][1]}` : "";
      const cell = el("li", "", el("b", className === "trumps" ? suit.trim() : "", label), " ", number);
      this.cells.push({ faces, cell, number, n: null });
      list.append(cell);
    }
    return el("div", `counter-row ${className}`, el("span", "counter-head", head), list);
  }

  fill(counts, seat) {
    for (const held of this.cells) {
      const n = held.faces.reduce((sum, code) => sum + counts[code], 0);
      if (held.faces.length > 1) held.cell.title = this.bySuits(counts, held.faces);
      if (n === held.n) continue;
      held.n = n;
      held.number.textContent = String(n);
      held.cell.classList.toggle("gone", n === 0);
    }
    const all = counts.reduce((sum, n) => sum + n, 0);
    const [before, after] = fill(this.words.counter_title, { n: all }).split("{seat}");
    this.title.replaceChildren(before, this.pen.name(seat), after ?? "");
  }

  bySuits(counts, faces) {
    const held = faces.filter((code) => counts[code] > 0);
    return held.map((code) => `${this.pen.faces[code][2]} × ${counts[code]}`).join("  ");
  }
}
