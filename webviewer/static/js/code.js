// 回放码: the place in a hand as a short code with a check character; webviewer/views/codes.py reads it.

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"; // no I, L, O, U: they look like others
const PREFIX_DIGITS = 10; // of the hand's id, in hexadecimal: 40 bits
const MOST_EVENTS = [1 << 10, 1 << 15]; // that two and three characters can say

/** Powers of α in GF(32), modulo x⁵ + x² + 1: the weight of each character. */
const WEIGHTS = [1];
while (WEIGHTS.length < 31) {
  const next = WEIGHTS.at(-1) << 1;
  WEIGHTS.push(next & 32 ? next ^ 37 : next);
}

function times(a, b) {
  if (!a || !b) return 0;
  return WEIGHTS[(WEIGHTS.indexOf(a) + WEIGHTS.indexOf(b)) % 31];
}

function digits(number, count) {
  return Array.from({ length: count }, (_, at) => Math.floor(number / 32 ** (count - 1 - at)) % 32);
}

/** The code of a place, in groups of four. The check character makes the weighted sum of all zero. */
export function replayCode(hand, { event, seat, hide, spoilers }) {
  const flags = (seat << 2) | (hide ? 2 : 0) | (spoilers ? 1 : 0);
  const values = [
    ...digits(parseInt(hand.slice(0, PREFIX_DIGITS), 16), 8),
    ...digits(event, event < MOST_EVENTS[0] ? 2 : 3),
    flags,
  ];
  // The check stands last, with weight 1: whatever stands n places before it has the weight α to the n.
  const sum = values.reduce((all, value, at) => all ^ times(value, WEIGHTS[values.length - at]), 0);
  const code = [...values, sum].map((value) => ALPHABET[value]).join("");
  return code.match(/.{1,4}/g).join("-");
}
