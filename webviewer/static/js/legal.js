// The panel of legal plays: the position before a step; cards clicked in the holding are asked about.

import { apart, codes, el, fill } from "./draw.js";

const FEW = 8; // sets of cards of one type shown before the rest is asked for
const PATIENCE = 90; // ms: whoever runs through the steps does not ask at each

/** The letters of a set of cards in one order, so that sets can be compared. */
const sorted = (letters) => Array.from(letters).sort().join("");

export class Legal {
  constructor(panel, pen, words, data) {
    Object.assign(this, { panel, pen, words, address: data.explain, rules: data.rules });
    this.known = new Map(); // address -> answer
    this.wanted = "";
    this.timer = null;
    this.shown = "";
    this.cards = [];
    this.verdict = null;
    this.question = 0;
  }

  /** Show the position before a step as an eye sees it; null sees everything. */
  show(step, eye) {
    const address = this.url(step, eye, null);
    if (address === this.wanted) return;
    this.wanted = address;
    clearTimeout(this.timer);
    if (this.known.has(address)) this.draw(step, eye, this.known.get(address));
    else this.timer = setTimeout(() => this.load(step, eye, address), this.shown ? PATIENCE : 0);
  }

  /** Another eye looks: what was shown goes, and an answer that is on its way is not waited for. */
  clear() {
    clearTimeout(this.timer);
    this.wanted = "";
    this.question += 1;
    this.panel.replaceChildren();
  }

  url(step, eye, cards) {
    const asked = new URL(this.address, location.href);
    asked.searchParams.set("event", step.n - 1);
    if (eye !== null) asked.searchParams.set("eye", eye);
    if (cards !== null) asked.searchParams.set("cards", cards);
    return asked.href;
  }

  async ask(address) {
    if (!this.known.has(address)) {
      const answer = await fetch(address);
      const found = await answer.json();
      if (!answer.ok) throw new Error(found.error);
      this.known.set(address, found);
    }
    return this.known.get(address);
  }

  async load(step, eye, address) {
    try {
      const found = await this.ask(address);
      if (this.wanted === address) this.draw(step, eye, found);
    } catch (error) {
      if (this.wanted !== address) return;
      this.wanted = "";
      this.panel.replaceChildren(el("p", "notice bad", fill(this.words.legal_failed, { error: error.message })));
    }
  }

  draw(step, eye, found) {
    const { words, pen } = this;
    // What had the focus goes; the panel keeps it.
    if (this.panel.contains(document.activeElement)) this.panel.focus({ preventScroll: true });
    Object.assign(this, { step, eye, found, shown: this.wanted, cards: [] });
    this.question += 1;
    const head = el("div", "legal-head", el("span", "legal-when", fill(words.legal_before, { n: step.n })));
    this.panel.replaceChildren(head);
    const say = (text) => this.panel.append(el("p", "legal-note", text));
    if (found.blocked !== null) return say(fill(words.legal_blocked, { n: found.blocked + 1 }));
    if (!found.opened) return say(words.not_opened);
    head.append(this.asks());
    for (const must of found.must) this.panel.append(el("p", "legal-must", ...pen.phrase(must)));
    if (found.hidden) say(words.legal_hidden);
    else if (found.player === null && !found.plays.length) say(words.legal_nobody);
    if (found.holding || found.plays.length) this.plays();
    this.panel.append(this.then());
    return undefined;
  }

  asks() {
    const { turn, ask } = this.found;
    return el("strong", "legal-ask", ...(turn === null ? [] : [this.pen.name(turn), " "]), ask);
  }

  /** What the log has here, if it is an act. */
  then() {
    if (this.step.a !== "fact") return "";
    const { pen, words } = this;
    const label = [...pen.phrase(this.step.l), ...pen.reading(this.step)];
    const cards = this.step.c ? [pen.inline(this.step.c), " "] : [];
    return el("p", "legal-then", el("span", "", words.legal_then), " ", ...cards, el("span", "label", ...label));
  }

  plays() {
    const { found, words } = this;
    if (found.holding) this.panel.append(this.holding());
    this.verdict = el("div", "verdict-here");
    this.verdict.setAttribute("role", "status");
    if (found.holding) this.panel.append(this.verdict);
    const sets = found.plays.flatMap((group) => group.sets);
    if (found.plays.length === 1 && !sets.length && found.must.length) {
      this.panel.append(el("p", "legal-note", words.legal_only_pass));
    }
    if (!found.plays.length) return;
    this.readings = new Map();
    for (const { c } of sets) this.readings.set(sorted(c), (this.readings.get(sorted(c)) ?? 0) + 1);
    const groups = el("dl", "groups", ...found.plays.flatMap((group) => this.group(group)));
    this.panel.append(el("h2", "", words.legal_plays), groups);
    if (found.sample) this.panel.append(el("p", "legal-note", words.legal_sample));
  }

  /** The legal acts of one type; acts without cards have only a name. */
  group({ type, sets }) {
    const count = sets.length ? [" ", el("span", "count", String(sets.length))] : [];
    const list = el("dd", "");
    const put = (some) => list.append(...some.map((set) => this.set(set, type)));
    put(sets.slice(0, sets.length > FEW + 2 ? FEW : sets.length));
    const rest = sets.slice(list.childElementCount);
    if (rest.length) {
      const more = el("button", "more", fill(this.words.legal_more, { n: rest.length }));
      more.type = "button";
      more.addEventListener("click", () => {
        const first = list.childElementCount - 1;
        more.remove();
        put(rest);
        list.children[first].focus();
      });
      list.append(more);
    }
    if (!sets.length) list.append(el("span", "count", "✓"));
    return [el("dt", "", type, ...count), list];
  }

  /** A set of cards; of those that can be read in several ways, the way that this one is. */
  set(set, type) {
    const { pen, step } = this;
    const whose = set.s === null ? [] : [pen.name(set.s), " "];
    const button = el("button", "set", ...whose, pen.inline(pen.spelled(set)), ...pen.reading(set), ...this.picked(set));
    button.type = "button";
    const isDone = step.c && sorted(step.c) === sorted(set.c) && (step.r ?? "") === (set.r ?? "");
    if (isDone) button.classList.add("done");
    const isOneOfMany = this.readings.get(sorted(set.c)) > 1;
    button.addEventListener("click", () => this.pick(set.c, isOneOfMany ? { ...set, l: type, rules: [] } : null));
    return button;
  }

  /** What is taken out of the bottom for these cards. */
  picked({ p }) {
    return p ? [" ", this.words.legal_picked, " ", this.pen.inline(p)] : [];
  }

  /** The holding, a button a card, the biggest first; arrows move between them. */
  holding() {
    const { pen, words } = this;
    // A table lists cards upwards in the game's order; people hold the biggest on the left.
    this.cards = codes(Array.from(this.found.holding).reverse().join("")).map((code) => this.card(code));
    apart(this.cards, [...this.found.groups].reverse());
    const name = pen.players[this.found.player];
    const row = el("div", "holding", ...this.cards);
    row.setAttribute("role", "group");
    row.setAttribute("aria-label", fill(words.legal_holding, { name }));
    row.addEventListener("keydown", (event) => this.move(event));
    this.cards[0].tabIndex = 0;
    const clear = el("button", "more", words.legal_clear);
    const pass = el("button", "more", words.legal_pass);
    clear.type = pass.type = "button";
    clear.addEventListener("click", () => this.pick(""));
    pass.addEventListener("click", () => {
      this.pick("");
      this.judge("");
    });
    // Where nobody in particular is asked nobody passes either.
    pass.hidden = this.found.turn === null;
    return el("div", "asking", row, el("p", "legal-hint", el("span", "", words.legal_ask), clear, pass));
  }

  card(code) {
    const button = el("button", "pick", this.pen.card(code));
    button.type = "button";
    button.tabIndex = -1;
    button.dataset.code = code;
    button.setAttribute("aria-label", this.pen.faces[code][2]);
    button.setAttribute("aria-pressed", "false");
    button.addEventListener("click", () => {
      this.press(button, button.getAttribute("aria-pressed") === "false");
      this.changed();
    });
    return button;
  }

  press(button, on) {
    button.setAttribute("aria-pressed", String(on));
  }

  /** Arrows, Home and End among the cards; they step through the hand everywhere else. */
  move(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const at = this.cards.indexOf(document.activeElement);
    const last = this.cards.length - 1;
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: last }[event.key];
    if (at < 0 || next === undefined) return;
    event.preventDefault();
    const to = this.cards[Math.min(last, Math.max(0, next))];
    for (const card of this.cards) card.tabIndex = card === to ? 0 : -1;
    to.focus();
  }

  /** Choose exactly these cards of the holding; an answer that is known already is not asked for. */
  pick(letters, answer = null) {
    const wanted = codes(letters);
    for (const card of this.cards) {
      const at = wanted.indexOf(Number(card.dataset.code));
      this.press(card, at >= 0);
      if (at >= 0) wanted.splice(at, 1);
    }
    if (answer === null) return this.changed();
    this.question += 1;
    return this.tell(this.answer(answer));
  }

  /** Show an answer where it is seen: on a phone it may lie under the buttons. */
  tell(said) {
    this.verdict.replaceChildren(said);
    this.verdict.scrollIntoView({ block: "nearest" });
  }

  changed() {
    const chosen = this.cards.filter((card) => card.getAttribute("aria-pressed") === "true");
    const letters = chosen.map((card) => this.pen.letter(Number(card.dataset.code))).join("");
    if (letters) this.judge(letters);
    else {
      this.question += 1;
      this.verdict.replaceChildren();
    }
  }

  async judge(letters) {
    const question = (this.question += 1);
    let said;
    try {
      said = this.answer((await this.ask(this.url(this.step, this.eye, letters))).asked);
    } catch (error) {
      said = el("p", "notice bad", fill(this.words.legal_failed, { error: error.message }));
    }
    if (question === this.question) this.tell(said);
  }

  answer(asked) {
    const { pen, words } = this;
    const good = asked.rules.length === 0;
    const cards = asked.c ? [pen.inline(pen.spelled(asked)), " "] : [];
    const line = el("p", "said", good ? "✓ " : "✗ ", good ? words.legal_yes : words.legal_no, " ");
    line.append(...cards, el("span", "label", ...pen.phrase(asked.l), ...pen.reading(asked)), ...this.picked(asked));
    return el("div", good ? "answer good" : "answer bad", line, ...asked.rules.map((rule) => this.rule(rule)));
  }

  rule({ rule, text, source }) {
    const link = el("a", "rule-link", rule);
    link.href = `${this.rules}#${rule}`;
    const said = el("div", "clause", el("p", "", text, " ", link));
    if (source) {
      const quote = el("blockquote", "", source);
      quote.lang = "zh-Hans";
      said.append(quote);
    }
    return said;
  }
}
