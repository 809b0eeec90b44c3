// What is said of a step below the table: its number and sentence, its findings, and for whoever listens.

import { el, fill } from "./draw.js";
import { findingSides, findingText, plainSentence, sentence } from "./events.js";

const byId = (id) => document.getElementById(id);
const SILENT = "\u200b"; // put behind every other announcement: equal ones are heard again

export class Telling {
  constructor(pen, words, data) {
    Object.assign(this, { pen, words, data });
    this.isOdd = false;
    this.found = byId("findings-here");
  }

  /** Tell of a step; `total` is null where nobody may know how many there are. */
  draw(step, total) {
    byId("caption-number").textContent = total === null ? `${step.n}` : `${step.n} / ${total}`;
    byId("caption-line").replaceChildren(...sentence(step, this.pen));
    this.ask(step);
    this.announce(step);
    if (this.found.hidden && !step.f.length) return;
    this.found.hidden = step.f.length === 0;
    this.found.replaceChildren(...step.f.map((finding) => this.notice(finding)));
  }

  /** Whose turn it is then, and for what. */
  ask({ board, unverified }) {
    const { pen } = this;
    const parts = [];
    if (board && !unverified) {
      if (board.turn !== null) parts.push("→ ", pen.name(board.turn), " ");
      parts.push(board.ask);
      for (const must of board.must) parts.push(" · ", ...pen.phrase(must));
    }
    byId("caption-ask").replaceChildren(...parts);
  }

  announce(step) {
    const { words } = this;
    this.isOdd = !this.isOdd;
    const said = fill(words.announce, { n: step.n, what: plainSentence(step, this.pen) });
    const found = step.f.length ? ` ${words.finding_here}` : "";
    byId("live").textContent = said + found + (this.isOdd ? SILENT : "");
  }

  notice(finding) {
    const { words, data } = this;
    const rule = el("a", "rule-link", finding.rule);
    if (!finding.rule.startsWith("format.")) rule.href = `${data.rules}#${finding.rule}`;
    const detail = el("p", "detail");
    detail.append(...findingSides(finding, this.pen, words));
    detail.append(el("span", "", fill(words.in_reports, { event: finding.event, hand: data.index })));
    const sign = el("span", "finding-sign", "▲");
    return el("div", "here", sign, el("p", "", ...findingText(finding, this.pen), " ", rule), detail);
  }
}
