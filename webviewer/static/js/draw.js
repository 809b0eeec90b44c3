// Small pieces of the page: elements, cards, and phrases with names and cards in them.
// Everything that comes from a log is put in as text, never as markup.

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz01";
const SIGNS = { d: "♦\uFE0E", c: "♣\uFE0E", h: "♥\uFE0E", s: "♠\uFE0E", j: "☆", J: "★" };
const JOKERS = new Set(["j", "J"]);

/** An element with a class and children; strings become text. */
export function el(tag, className = "", ...children) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

export function codes(letters) {
  return Array.from(letters, (letter) => LETTERS.indexOf(letter));
}

/** Cards from big to small. */
export function descending(letters) {
  return codes(letters)
    .sort((a, b) => b - a)
    .map((code) => LETTERS[code])
    .join("");
}

/** The sentence of the catalogue with its slots filled. */
export function fill(sentence, slots) {
  return sentence.replace(/\{(\w+)\}/g, (whole, name) => slots[name] ?? whole);
}

/** What the pieces below need of the page: players and the faces of cards. */
export class Pen {
  constructor(players, faces) {
    this.players = players;
    this.faces = faces;
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

  /** A row of overlapping cards, one picture to a screen reader. */
  row(letters, label, marked = []) {
    const cards = codes(letters);
    const row = el("div", "row", ...cards.map((code) => this.card(code, marked)));
    row.style.setProperty("--n1", Math.max(1, cards.length - 1));
    row.setAttribute("role", "img");
    row.setAttribute("aria-label", label);
    return row;
  }

  backs(count, label) {
    const row = el("div", "row", ...Array.from({ length: count }, () => el("span", "card back")));
    row.style.setProperty("--n1", Math.max(1, count - 1));
    row.setAttribute("role", "img");
    row.setAttribute("aria-label", label);
    return row;
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
