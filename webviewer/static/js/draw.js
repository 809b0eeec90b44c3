// Small pieces of the page: elements, cards, and phrases with names and cards in them.
// Everything that comes from a log is put in as text, never as markup.

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz01";
export const SIGNS = { d: "♦\uFE0E", c: "♣\uFE0E", h: "♥\uFE0E", s: "♠\uFE0E", j: "☆", J: "★" };
const JOKERS = new Set(["j", "J"]);
const RANKS = "3456789TJQKA2";

/** An element with a class and children; strings become text. */
export function el(tag, className = "", ...children) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** Set a property that has another value now. An equal one would have the element styled anew, too. */
export function set(node, property, value) {
  if (node[property] !== value) node[property] = value;
}

export function codes(letters) {
  return Array.from(letters, (letter) => LETTERS.indexOf(letter));
}

/** Cards as they are laid out, from big to small: each its code, and the rank that a wild joker stands
    for, which lies beside the cards of that rank. `w` has a rank for each of the cards, or a dot;
    `order` lists every face upwards where that is not the order of their codes. */
export function laidOut({ c, w }, order) {
  const cards = codes(c).map((code, at) => ({ code, as: w && w[at] !== "." ? w[at] : "" }));
  const height = ({ code, as }) => (as ? 4 * RANKS.indexOf(as) - 0.5 : order ? order.indexOf(LETTERS[code]) : code);
  return cards.sort((a, b) => height(b) - height(a));
}

/** Mark the cards before which a gap stands, by the sizes of the groups; how many there are. */
export function apart(cards, groups) {
  let at = 0;
  for (const size of groups.slice(0, -1)) {
    at += size;
    cards[at].classList.add("apart");
  }
  return Math.max(0, groups.length - 1);
}

/** Which cards of a row can stay when it becomes another: where each stood, and where it stands then. */
function keptOf(before, after) {
  const kept = new Map();
  let from = 0;
  Array.from(before).forEach((letter, at) => {
    const to = after.indexOf(letter, from);
    if (to < 0) return;
    kept.set(at, to);
    from = to + 1;
  });
  return kept;
}

/** The sentence of the catalogue with its slots filled; `{n:+s}` is the ending of an English plural. */
export function fill(sentence, slots) {
  const ending = (name) => (String(slots[name]) === "1" ? "" : "s");
  return sentence.replace(/\{(\w+)(:\+s)?\}/g, (whole, name, plural) => (plural ? ending(name) : slots[name] ?? whole));
}

/** What the pieces below need of the page: players, the faces of cards, and how a remark is put. */
export class Pen {
  constructor(players, faces, remark) {
    this.players = players;
    this.faces = faces;
    this.remark = remark;
    this.order = null; // of all faces, upwards, as far as the game says one
  }

  letter(code) {
    return LETTERS[code];
  }

  name(seat) {
    return el("bdi", "", this.players[seat]);
  }

  /** One card, face up; jokers are told apart by their star and their word. */
  card(code, marked = []) {
    const [index, suit] = this.faces[code];
    const sign = SIGNS[suit];
    const card = el("span", `card ${suit}${index === "10" ? " ten" : ""}`);
    if (marked.includes(code)) card.classList.add("called");
    card.append(el("b", "", index), el("u", "", sign));
    if (!JOKERS.has(suit)) card.append(el("i", "", sign));
    return card;
  }

  /** A wild joker: its star, and in place of its word the rank that it stands for. */
  wild(code, rank) {
    const [, suit] = this.faces[code];
    const as = rank === "T" ? "10" : rank;
    const sign = SIGNS[suit];
    return el("span", `card wild ${suit}${as === "10" ? " ten" : ""}`, el("em", "", as), el("u", "", sign), el("i", "", sign));
  }

  /** Overlapping cards, one picture to a screen reader. */
  picture(cards, label) {
    const row = el("div", "row", ...cards);
    row.setAttribute("role", "img");
    this.label(row, cards.length, label);
    return row;
  }

  label(row, count, label) {
    row.style.setProperty("--n1", Math.max(1, count - 1));
    row.setAttribute("aria-label", label);
  }

  row(letters, label, marked = [], groups = []) {
    const cards = codes(letters).map((code) => this.card(code, marked));
    const row = this.picture(cards, label);
    if (groups.length) row.classList.add("grouped");
    row.style.setProperty("--gaps", apart(cards, groups));
    return row;
  }

  /** Make a row of cards another: cards that lie in it already stay the same elements. */
  change(row, before, letters, label, marked, groups) {
    const kept = keptOf(before, letters);
    const lying = Array.from(row.children);
    lying.forEach((card, at) => kept.has(at) || card.remove());
    const stay = lying.filter((_, at) => kept.has(at)).values();
    const has = new Set(kept.values());
    const cards = codes(letters).map((code, at) => (has.has(at) ? stay.next().value : this.card(code, marked)));
    cards.forEach((card, at) => {
      card.classList.remove("apart");
      if (row.children[at] !== card) row.insertBefore(card, row.children[at] ?? null);
    });
    this.label(row, cards.length, label);
    row.classList.toggle("grouped", groups.length > 0);
    row.style.setProperty("--gaps", groups.length ? apart(cards, groups) : 0);
  }

  backs(count, label) {
    return this.picture(Array.from({ length: count }, () => el("span", "card back")), label);
  }

  /** A play on the table. */
  laid(act) {
    const cards = laidOut(act, this.order).map(({ code, as }) => (as ? this.wild(code, as) : this.card(code)));
    const said = this.words(this.spelled(act));
    const row = this.picture(cards, act.r ? `${said} ${this.remarked(act.r)}` : said);
    if (act.r) row.title = act.r;
    return row;
  }

  /** The letters of a play as it is laid out. */
  spelled(act) {
    return laidOut(act, this.order)
      .map(({ code }) => LETTERS[code])
      .join("");
  }

  /** What wild jokers stand for, behind the play. */
  reading(act) {
    return act.r ? [" ", el("span", "wilds", this.remarked(act.r))] : [];
  }

  remarked(text) {
    return fill(this.remark, { text });
  }

  /** Cards inside a sentence. */
  inline(letters) {
    const text = el("span", "card-text");
    codes(letters).forEach((code, at) => {
      const [, suit, name] = this.faces[code];
      if (at) text.append(" ");
      text.append(el("span", `suit-${suit}`, name));
    });
    return text;
  }

  /** Cards as plain words. */
  words(letters) {
    return codes(letters)
      .map((code) => this.faces[code][2])
      .join(" ");
  }

  /** A phrase: text, or a list of texts, names and cards. */
  phrase(phrase) {
    if (typeof phrase === "string") return [phrase];
    return phrase.map((piece) => {
      if (typeof piece === "string") return piece;
      return piece[0] === "s" ? this.name(piece[1]) : this.inline(piece[1]);
    });
  }

  plain(phrase) {
    if (typeof phrase === "string") return phrase;
    return phrase
      .map((piece) => {
        if (typeof piece === "string") return piece;
        return piece[0] === "s" ? this.players[piece[1]] : this.words(piece[1]);
      })
      .join("");
  }
}
