// The felt: draws one step. Knows seats, cards and words; knows no game.

import { SIGNS, codes, el, fill } from "./draw.js";

const SIDE_SIGNS = ["▲", "●", "■", "◆"];
const PLACES = {
  "counter-clockwise": ["self", "right", "across", "left"],
  clockwise: ["self", "left", "across", "right"],
};

/** Let an element slide to its place from the middle of another. */
function slide(element, from) {
  const [there, here] = [from.getBoundingClientRect(), element.getBoundingClientRect()];
  const way = (low, high) => `${(there[low] + there[high] - here[low] - here[high]) / 2}px`;
  element.style.setProperty("--way", `${way("left", "right")} ${way("top", "bottom")}`);
  element.classList.add("travels");
}

const RUNNING = 200; // ms: steps that follow one another sooner leave cards no time to move
const MANY = 34; // cards in a holding: then all of the table makes room for them
// A phone: how many cards a row holds there, and how many rows the lowest window has room for.
const IN_A_ROW = { across: 24, left: 12, right: 12, self: 13 };
const [MOST_ROWS, LOWEST, ROW] = [4, 640, 30];
const LYING = matchMedia("(orientation: landscape) and (max-height: 520px)"); // a phone on its side

export class Table {
  constructor(felt, pen, words, direction, rules) {
    this.felt = felt;
    this.pen = pen;
    this.words = words;
    this.places = PLACES[direction] ?? PLACES["counter-clockwise"];
    this.rules = rules;
    this.drawn = new Map(); // spot -> what it shows: it is drawn anew only when that is another
    this.last = -Infinity; // when a step was drawn last, ms
    this.hands = new Map(); // place -> the letters of the cards that lie there
    this.seen = [null, 0]; // the board that is drawn, and for which seat
    this.measure();
    new ResizeObserver(() => this.measure()).observe(felt);
    felt.addEventListener("click", (event) => event.target.closest(".peek") && this.peek());
    this.note = felt.querySelector("#felt-note");
  }

  /** A window was turned or made another size: how wide the table is, and whether all hands have room. */
  measure() {
    this.felt.style.setProperty("--width", `${this.felt.clientWidth}px`);
    this.felt.classList.toggle("crowded", this.isCrowded(...this.seen));
  }

  /** Before the first step is drawn: whether so many cards are held in this hand. */
  makeRoom(steps) {
    const isMany = steps.some(({ board }) => board?.seats.some(({ n }) => n > MANY));
    this.felt.classList.toggle("many", isMany);
  }

  /** Whether a phone shows no more than the count of the other hands, until it is asked. */
  isCrowded(board, self) {
    if (LYING.matches) return board !== null;
    const rows = { across: 0, left: 0, right: 0, self: 0 };
    for (const [seat, { n }] of board?.seats.entries() ?? []) {
      const place = this.place(seat, self);
      rows[place] = Math.ceil(n / IN_A_ROW[place]);
    }
    const room = MOST_ROWS + Math.max(0, Math.floor((innerHeight - LOWEST) / ROW));
    return rows.across + Math.max(rows.left, rows.right) + rows.self > room;
  }

  /** On a phone the other hands are opened or closed, all three. */
  peek() {
    const isOpen = this.felt.classList.toggle("peeking");
    for (const button of this.felt.querySelectorAll(".peek")) button.setAttribute("aria-expanded", String(isOpen));
  }

  /** What a plate has in place of its count where the hands are closed. */
  peeker(n) {
    const button = el("button", "peek", String(n));
    button.type = "button";
    button.title = fill(this.words.cards_left, { n });
    button.setAttribute("aria-label", button.title);
    button.setAttribute("aria-expanded", String(this.felt.classList.contains("peeking")));
    return button;
  }

  /** Whether a spot shows anything else than `wanted` says; from now on it is taken to show that. */
  isNew(spot, wanted) {
    const shown = this.drawn.get(spot);
    if (shown && wanted.every((part, at) => part === shown[at])) return false;
    this.drawn.set(spot, wanted);
    return true;
  }

  place(seat, self) {
    return this.places[(seat - self + 4) % 4];
  }

  /** Draw a step as seen by the seat `self`; `findings` are those of this step. */
  draw(step, self, findings) {
    const board = step.board;
    this.felt.classList.toggle("unverified", step.unverified);
    this.felt.classList.toggle("running", performance.now() - this.last < RUNNING);
    this.last = performance.now();
    this.pen.order = board?.order ?? null;
    this.say(step.unverified ? this.words.not_verified : board ? "" : this.words.not_opened);
    const acts = step.closed?.table ?? board?.table ?? [];
    for (let seat = 0; seat < 4; seat += 1) {
      const place = this.place(seat, self);
      this.seat(place, seat, board, findings, step);
      this.act(place, seat, acts, board, step);
    }
    this.seen = [board, self];
    this.felt.classList.toggle("crowded", this.isCrowded(board, self));
    this.felt.querySelector(".middle").classList.toggle("closed", step.closed !== null);
    this.plaque(board, step);
    for (const moved of step.moved) this.moved(moved, board, self);
  }

  say(text) {
    this.note.hidden = !text;
    this.note.textContent = text;
  }

  seat(place, seat, board, findings, step) {
    const view = this.felt.querySelector(`.seat-view[data-place="${place}"]`);
    const info = board?.seats[seat];
    view.dataset.seat = seat;
    for (let side = 0; side < 4; side += 1) view.classList.toggle(`side-${side}`, info?.team === side);
    view.classList.toggle("in-turn", board?.turn === seat && !step.unverified);
    if (this.isNew(`plate ${place}`, [seat, info, board?.turn === seat, ...findings, findings.length])) {
      const plate = this.plate(seat, info, board);
      for (const finding of findings) {
        if (finding.seat === seat) plate.append(this.flag(finding));
      }
      view.querySelector(".plate").replaceWith(plate);
    }
    const called = board?.called ?? "";
    if (this.isNew(`hand ${place}`, [seat, info?.c, info?.n, info?.g, called, this.pen.order])) {
      this.hand(view.querySelector(".hand"), place, seat, info, called);
    }
  }

  /** The cards of a seat; those that lie there already stay, where no mark and no order changed. */
  hand(box, place, seat, info, called) {
    const before = this.hands.get(place);
    const cards = info?.c ? Array.from(info.c).reverse().join("") : "";
    this.hands.set(place, { seat, called, cards });
    const marked = codes(called);
    if (cards && before?.cards && before.seat === seat && before.called === called) {
      this.pen.change(box.firstChild, before.cards, cards, this.label(seat, cards), marked, [...info.g].reverse());
    } else box.replaceChildren(...(info ? [this.cards(seat, info, marked)] : []));
  }

  label(seat, cards) {
    return fill(this.words.hand_of, { name: this.pen.players[seat], cards: this.pen.words(cards) });
  }

  plate(seat, info, board) {
    const { words } = this;
    const sit = el("button", "sit");
    sit.type = "button";
    sit.dataset.sit = seat;
    const team = info?.team ?? null;
    const sign = el("span", "side-sign", team === null ? String(seat) : SIDE_SIGNS[team]);
    sign.title = team === null ? fill(words.of_seat, { seat }) : fill(words.team, { team: team + 1 });
    sit.append(sign, this.pen.name(seat));
    sit.title = words.sit_here;
    const plate = el("div", "plate", sit);
    if (board?.turn === seat) sit.append(el("span", "hidden", `, ${words.turn}`));
    if (!info) return plate;
    for (const role of info.roles) plate.append(el("span", "chip chip-role", role));
    if (info.level) plate.append(el("span", "chip", fill(words.level, { level: info.level })));
    for (const mark of info.marks) plate.append(el("span", "chip chip-mark", ...this.pen.phrase(mark)));
    const left = el("span", "left-count", String(info.n));
    left.title = fill(words.cards_left, { n: info.n });
    plate.append(left, this.peeker(info.n));
    if (info.points !== null) plate.append(el("span", "points", fill(words.points, { n: info.points })));
    return plate;
  }

  cards(seat, info, called) {
    const name = this.pen.players[seat];
    if (info.c === null) {
      return this.pen.backs(info.n, fill(this.words.hidden_cards, { name, n: info.n }));
    }
    // A table lists cards upwards in the game's order; people hold the biggest on the left.
    const cards = Array.from(info.c).reverse().join("");
    return this.pen.row(cards, this.label(seat, cards), called, [...info.g].reverse());
  }

  flag(finding) {
    const flag = el("a", "seat-finding", "▲ ", finding.rule);
    flag.href = `${this.rules}#${finding.rule}`;
    flag.title = finding.text;
    return flag;
  }

  act(place, seat, acts, board, step) {
    const spot = this.felt.querySelector(`.act[data-place="${place}"]`);
    const mine = acts.filter((act) => act.s === seat);
    const last = mine.at(-1);
    const leading = board?.leading ?? null;
    const best = step.closed ? step.closed.beat : board?.beat ?? acts.find((act) => act.s === leading);
    const attempt = step.closed ? step.closed.attempt : board?.attempt;
    const isBest = Boolean(best && best.s === seat && last?.c);
    const isFresh = step.s === seat && step.a === "fact" && !step.unverified;
    const isClosed = step.closed !== null;
    const tried = attempt?.s === seat ? attempt : null;
    if (!this.isNew(`act ${place}`, [seat, JSON.stringify([last, tried]), isBest, isClosed, this.pen.order])) {
      spot.classList.toggle("fresh", isFresh && spot.classList.contains("fresh"));
      return;
    }
    spot.className = "act";
    spot.replaceChildren();
    if (!last) return;
    if (last.c) {
      const laid = el("button", "laid", this.pen.laid(last));
      laid.type = "button";
      laid.dataset.laid = seat;
      laid.title = this.words.laid_at;
      spot.append(laid, el("span", "label", ...this.pen.phrase(last.l)));
      if (tried) spot.append(this.attempt(tried));
    } else spot.append(el("span", "passed", ...this.pen.phrase(last.l)));
    if (isBest) {
      spot.classList.add("beats");
      if (isClosed) spot.classList.add("took");
      const word = isClosed ? this.words.won_trick : this.words.to_beat;
      spot.querySelector(".label").prepend(el("span", "crown", isClosed ? "★" : "◆"), el("span", "hidden", word));
    }
    if (isFresh) spot.classList.add("fresh");
  }

  /** Cards on their way: they lie where they go to, and slide there from where they were. */
  moved({ s, to, c, n, l }, board, self) {
    const { pen, words } = this;
    this.drawn.delete(to === null ? "plaque" : `act ${this.place(to, self)}`);
    const name = (seat) => (seat === null ? words.bottom : pen.name(seat));
    const told = el("span", "label", name(s), " → ", name(to), " ", ...pen.phrase(l));
    const from = this.spot(s, self);
    const spot = this.spot(to, self);
    if (to === null && c !== null && board.bottom?.c) {
      spot.querySelector(".bottom").append(told);
      for (const card of this.lying(c, board.bottom.c)) slide(card, from);
      return;
    }
    const cards = c === null ? pen.backs(n, fill(words.moved_hidden, { n })) : pen.laid({ c });
    const move = el("div", "moved", el("div", "laid", cards), told);
    spot.append(move);
    slide(move, from);
  }

  /** Of the open bottom, the cards that have come to lie in it. */
  lying(letters, bottom) {
    const row = this.felt.querySelector(".bottom-cards .row").children;
    const left = Array.from(bottom);
    return Array.from(letters, (letter) => {
      const at = left.lastIndexOf(letter);
      left[at] = "";
      return row[at];
    });
  }

  /** Where cards of a seat lie before it, or the bottom: in the middle. */
  spot(seat, self) {
    if (seat === null) return this.felt.querySelector("#plaque");
    return this.felt.querySelector(`.act[data-place="${this.place(seat, self)}"]`);
  }

  /** A lead that was not let stand: the cards as laid, and who can beat a part of them. */
  attempt({ c, by }) {
    const { words, pen } = this;
    const names = by.flatMap((seat, at) => [at ? " " : "", pen.name(seat)]);
    return el("span", "attempt", words.attempted, " ", pen.inline(c), " ", ...names, " ", words.can_beat);
  }

  plaque(board, step) {
    const { words, pen } = this;
    const plaque = this.felt.querySelector("#plaque");
    const trick = board && (step.closed ? board.trick - 1 : board.trick);
    const says = [trick, board?.phase, board?.trump, board?.called, board?.bottom, board?.goal, board?.ladder];
    if (!this.isNew("plaque", says)) return;
    plaque.replaceChildren();
    if (!board) return;
    plaque.append(el("div", "trick-no", trick > 0 ? fill(words.trick, { n: trick }) : board.phase));
    if (board.trump) plaque.append(this.trump(board.trump));
    if (board.called) {
      const cards = Array.from(board.called, (letter) => pen.row(letter, pen.words(letter)));
      plaque.append(el("div", "group", words.called, ...cards));
    }
    if (board.bottom) plaque.append(this.bottom(board.bottom));
    if (board.goal) plaque.append(this.goal(board.goal));
    if (!board.ladder.length) return;
    const ladder = el("dl", "ladder");
    for (const [name, value] of board.ladder) {
      ladder.append(el("dt", "", ...pen.phrase(name)), el("dd", "", ...pen.phrase(value)));
    }
    plaque.append(ladder);
  }

  trump({ l, suit }) {
    const sign = suit ? [el("span", `trump-sign suit-${suit}`, SIGNS[suit])] : [];
    return el("div", "group trump", this.words.trump, " ", ...sign, ...this.pen.phrase(l));
  }

  bottom(bottom) {
    const { words, pen } = this;
    const label = el("span", "label", ...pen.phrase(bottom.l));
    if (bottom.c === null) {
      return el("div", "group bottom", fill(words.bottom_hidden, { n: bottom.n }), label, ...this.turned(bottom));
    }
    const row = pen.row(bottom.c, pen.words(bottom.c));
    return el("div", "group bottom", words.bottom, label, el("div", "bottom-cards", row));
  }

  /** Those cards of a hidden bottom that were turned up. */
  turned({ t }) {
    if (!t) return [];
    const row = el("div", "bottom-cards", this.pen.row(t, this.pen.words(t)));
    return [el("span", "turned", this.words.turned_up), row];
  }

  /** A number that grows, and what it has to come to. */
  goal({ l, value, target }) {
    const bar = el("span", "goal-bar", el("span", "goal-done"));
    const share = Math.min(100, Math.max(0, (100 * value) / target));
    bar.firstChild.style.width = `${share}%`;
    const told = fill(this.words.goal, { value, target });
    const line = el("div", "goal", ...this.pen.phrase(l), " ", el("b", "", told), bar);
    if (value >= target) line.classList.add("reached");
    return line;
  }
}
