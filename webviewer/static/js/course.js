// Beside the table: the levels of the sides, the cards shown for a trump, those that changed hands,
// the bottoms.

import { el, fill } from "./draw.js";

const SIDE_SIGNS = ["▲", "●", "■", "◆"];

export class Course {
  constructor(tracks, course, pen, words) {
    Object.assign(this, { tracks, course, pen, words });
    this.drawn = [];
  }

  /** Draw what stands at a step; nothing where the game has none of it. */
  draw({ board, bottoms }) {
    const wanted = [board?.tracks, board?.shows, board?.moves, bottoms];
    if (this.drawn.length && wanted.every((part, at) => part === this.drawn[at])) return;
    this.drawn = wanted;
    const tracks = board?.tracks ?? [];
    this.tracks.hidden = tracks.length === 0;
    this.tracks.replaceChildren(...tracks.map((track) => this.track(track)));
    const lines = [...this.shows(board?.shows ?? []), ...this.moves(board?.moves ?? []), ...this.bottoms(bottoms)];
    this.course.hidden = lines.length === 0;
    this.course.replaceChildren(...lines);
  }

  /** All steps of a side's way, the one where it stands marked. */
  track({ l, team, steps, at, notes }) {
    const sign = el("span", "side-sign", team === null ? "" : SIDE_SIGNS[team]);
    const list = el("ol", "", ...steps.map((step, number) => this.step(step, number, at)));
    const told = notes.map((note) => el("span", "track-note", ...this.pen.phrase(note)));
    const name = el("span", "track-name", sign, ...this.pen.phrase(l));
    return el("div", team === null ? "track" : `track side-${team}`, name, list, ...told);
  }

  step(step, number, at) {
    const item = el("li", number < at ? "past" : "", step);
    if (number === at) {
      item.setAttribute("aria-current", "step");
      item.title = fill(this.words.level, { level: step });
    }
    return item;
  }

  shows(shows) {
    if (!shows.length) return [];
    const told = shows.map(({ s, c, l, stands }) => {
      const show = el("li", "show", this.pen.name(s), " ", this.pen.inline(c), " ", el("span", "label", ...this.pen.phrase(l)));
      if (stands) show.classList.add("stands");
      return show;
    });
    return [el("div", "course-line", el("span", "course-name", this.words.shows), el("ol", "shows", ...told))];
  }

  /** Cards that went from a seat to another, into the bottom or out of it, in order. */
  moves(moves) {
    if (!moves.length) return [];
    const { pen, words } = this;
    const place = (seat) => (seat === null ? words.bottom : pen.name(seat));
    const told = moves.map(({ s, to, c, n, l }) => {
      const cards = c === null ? el("span", "unseen", fill(words.moved_hidden, { n })) : pen.inline(pen.spelled({ c }));
      return el("li", "move", place(s), " → ", place(to), " ", cards, " ", el("span", "label", ...pen.phrase(l)));
    });
    return [el("div", "course-line", el("span", "course-name", words.moves), el("ol", "moves", ...told))];
  }

  /** What the bottom was before and after each burial, as far as the eye has seen it. */
  bottoms(bottoms) {
    if (!bottoms.length) return [];
    const told = bottoms.map(({ c, n, l, t }) => {
      const cards = c === null ? el("span", "unseen", fill(this.words.bottom_hidden, { n })) : this.pen.inline(c);
      const turned = c === null && t ? [" ", this.words.turned_up, " ", this.pen.inline(t)] : [];
      return el("li", "bottom-then", el("span", "label", ...this.pen.phrase(l)), " ", cards, ...turned);
    });
    return [el("div", "course-line", el("span", "course-name", this.words.bottom), el("ol", "bottoms", ...told))];
  }
}
