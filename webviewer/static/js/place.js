// The place in a hand as the fragment of the address: #event/seat:flags@speed, events from 1.

const FLAGS = { h: "hide", l: "legal", s: "spoilers", r: "counter" };
export const SPEEDS = [0.5, 1, 2, 4, 8];
const GRAMMAR = /^#?([1-9]\d{0,5})?(?:\/([0-3]))?(?::([a-z]+))?(?:@([\d.]+))?$/;
const WRITES = 60; // browsers refuse an address that changes more often than this
const WINDOW = 5000; // in so many ms

function nowhere() {
  const flags = Object.fromEntries(Object.values(FLAGS).map((name) => [name, false]));
  return { event: null, seat: 0, speed: 1, ...flags };
}

/** Reads `#57/2:hs@4`; one that is wrong anywhere counts as absent. Without an event `event` is null. */
export function readPlace(fragment) {
  const found = GRAMMAR.exec(fragment);
  if (!found) return nowhere();
  const [, event, seat, letters = "", rate] = found;
  const isTwice = new Set(letters).size < letters.length;
  if (isTwice || Array.from(letters).some((letter) => !FLAGS[letter])) return nowhere();
  if (rate && !SPEEDS.includes(Number(rate))) return nowhere();
  const place = { ...nowhere(), event: event ? Number(event) : null };
  place.seat = Number(seat ?? 0);
  place.speed = Number(rate ?? 1);
  for (const letter of letters) place[FLAGS[letter]] = true;
  return place;
}

export function writePlace(place) {
  const flags = Object.entries(FLAGS)
    .filter(([, name]) => place[name])
    .map(([letter]) => letter)
    .join("");
  const speed = place.speed === 1 ? "" : `@${place.speed}`;
  return `#${place.event ?? ""}/${place.seat}${flags ? `:${flags}` : ""}${speed}`;
}

/** Keeps the address at the place that is shown. Navigation inside a hand is no page of its own: Back
    leaves the hand. Beside it stands how far the hand has been seen, which a reload brings back. */
export class Address {
  constructor() {
    this.written = [];
    this.waiting = null;
    this.timer = null;
    addEventListener("pagehide", () => this.flush());
  }

  /** How far the hand was seen at this address, from 1; 0 if it is opened for the first time. */
  get reached() {
    return Number(history.state?.reached ?? 0);
  }

  /** The place is another; where it changes without pause, the address follows a little later. */
  write(place, reached) {
    const now = performance.now();
    this.waiting = { fragment: writePlace(place), reached };
    this.written = this.written.filter((at) => now - at < WINDOW);
    if (this.written.length < WRITES) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), 400);
  }

  flush() {
    clearTimeout(this.timer);
    this.timer = null;
    if (!this.waiting) return;
    const { fragment, reached } = this.waiting;
    this.waiting = null;
    if (fragment === location.hash && reached === this.reached) return;
    this.written.push(performance.now());
    history.replaceState({ reached }, "", fragment);
  }
}
