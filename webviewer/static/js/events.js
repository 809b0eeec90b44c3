// The list of events beside the table, by trick; and the marks on the timeline.

import { el, fill } from "./draw.js";

const SIDE_SIGNS = ["▲", "●", "■", "◆"];

export class Events {
  constructor(list, steps, pen, words, hand) {
    this.list = list;
    this.pen = pen;
    this.words = words;
    this.hand = hand;
    this.buttons = []; // one a step
    this.heads = [];
    this.current = -1;
    this.limit = steps.length; // lines beyond it lie ahead, and are hidden
    let trick = null;
    for (const step of steps) {
      if (step.t !== trick) {
        trick = step.t;
        this.head(step);
      }
      this.line(step);
    }
  }

  head(step) {
    const { words } = this;
    const text = step.t > 0 ? fill(words.trick, { n: step.t }) : words.before_tricks;
    const head = el("li", "trick-head", text);
    this.heads.push([step.n, head]);
    this.list.append(head);
  }

  line(step) {
    const { words } = this;
    const button = el("button", `event ${step.a}`);
    button.type = "button";
    button.dataset.event = step.n;
    button.title = fill(words.in_reports, { event: step.n - 1, hand: this.hand });
    button.append(
      el("span", "no", String(step.n)),
      el("span", "sign", sideSign(step)),
      el("span", "what", ...sentence(step, this.pen)),
      this.end(step),
    );
    if (step.f.length) button.classList.add("flawed");
    if (step.unverified) button.classList.add("void");
    this.buttons.push(button);
    this.list.append(el("li", "event-line", button));
  }

  end(step) {
    const { words } = this;
    if (step.f.length) {
      const flaw = el("span", "end flaw", "▲ ", step.f[0].rule);
      flaw.title = step.f.map((finding) => finding.text).join("\n");
      return flaw;
    }
    if (step.a === "claim" && !step.unverified) {
      const ok = el("span", "end ok", "✓");
      ok.title = words.checked;
      ok.append(el("span", "hidden", words.checked));
      return ok;
    }
    return el("span", "end", step.by ?? "");
  }

  /** The same steps seen with another eye: what it may not read is worded otherwise. */
  see(steps) {
    this.buttons.forEach((button, at) => {
      button.querySelector(".sign").textContent = sideSign(steps[at]);
      button.querySelector(".what").replaceChildren(...sentence(steps[at], this.pen));
      button.querySelector(".end").replaceWith(this.end(steps[at]));
    });
  }

  /** How far the list may be read: only the lines between the old end and the new one change. */
  reach(limit) {
    const [from, to] = [Math.min(limit, this.limit), Math.max(limit, this.limit)];
    for (let at = from; at < to; at += 1) this.buttons[at].parentElement.classList.toggle("ahead", at >= limit);
    for (const [first, head] of this.heads) {
      if (first > from && first <= to) head.classList.toggle("ahead", first > limit);
    }
    this.limit = limit;
  }

  /** Mark the step that the table shows. */
  show(index) {
    if (index === this.current) return;
    this.buttons[this.current]?.removeAttribute("aria-current");
    this.current = index;
    this.buttons[index].setAttribute("aria-current", "true");
  }

  /** Bring the marked line into view inside the list. It measures, so it waits until all is drawn. */
  follow() {
    const button = this.buttons[this.current];
    const panel = this.list.closest(".panel");
    if (panel.hidden || panel.scrollHeight <= panel.clientHeight) return;
    const box = panel.getBoundingClientRect();
    const line = button.getBoundingClientRect();
    if (line.top < box.top + 60 || line.bottom > box.bottom - 60) {
      panel.scrollTop += line.top - box.top - box.height / 2;
    }
  }
}

/** The sign of the side of whoever acts, as far as the eye knows it. */
function sideSign({ s, board }) {
  const team = s === null ? null : board?.seats[s].team ?? null;
  return team === null ? "" : SIDE_SIGNS[team];
}

/** What an event was: the seat's name, its cards, and the word for it. */
export function sentence(step, pen) {
  const phrase = pen.phrase(step.l);
  const holds = (what) => Array.isArray(step.l) && step.l.some((piece) => piece[0] === what && Array.isArray(piece));
  if (step.s === null || holds("s")) return phrase;
  if (!step.c || holds("c")) return [pen.name(step.s), " ", ...phrase];
  return [pen.name(step.s), " ", pen.inline(step.c), " ", el("span", "label", ...phrase, ...pen.reading(step))];
}

export function plainSentence(step, pen) {
  return sentence(step, pen)
    .map((part) => (typeof part === "string" ? part : part.textContent))
    .join("");
}

/** What a finding says, with names and cards as they are elsewhere. */
export function findingText(finding, pen) {
  return pen.phrase(finding.said);
}

/** What was expected, logged and held, as far as the sentence does not say it. */
export function findingSides(finding, pen, words) {
  return finding.sides.map(([side, said]) => el("span", "", `${words[side]} `, ...pen.phrase(said)));
}

/** Marks on the timeline: where tricks begin, where findings are, from where nothing is verified. Returns
    what marks how much of the length that is shown is done. */
export function drawTimeline(marks, steps) {
  const at = (index) => `${(100 * index) / Math.max(1, steps.length - 1)}%`;
  const put = (className, index, text = "") => {
    const mark = el("span", className, text);
    mark.style.left = at(index);
    marks.append(mark);
    return mark;
  };
  marks.replaceChildren(el("span", "rail"));
  const done = el("span", "done");
  marks.append(done);
  steps.forEach((step, index) => {
    if (index && step.t !== steps[index - 1].t) put("tick", index);
    if (step.f.length) put("flaw", index, "▼");
  });
  const from = steps.findIndex((step) => step.unverified);
  if (from >= 0) put("void", from);
  return (index, length) => {
    done.style.width = `calc(${(100 * index) / Math.max(1, length - 1)}% + 8px)`;
  };
}
