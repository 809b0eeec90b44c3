// The place in a hand as the fragment of the address: #event/seat:flags, events from 1.

const FLAGS = { h: "hide", l: "legal", s: "spoilers" };

/** Reads `#57/2:h`; what makes no sense counts as absent. Without an event `event` is null. */
export function readPlace(fragment) {
  const found = /^#?(\d+)?(?:\/([0-3]))?(?::([a-z]*))?$/.exec(fragment);
  const place = { event: null, seat: 0, hide: false, legal: false, spoilers: false };
  if (!found) return place;
  if (found[1]) place.event = Math.max(1, Number(found[1]));
  if (found[2]) place.seat = Number(found[2]);
  for (const [letter, name] of Object.entries(FLAGS)) place[name] = (found[3] ?? "").includes(letter);
  return place;
}

export function writePlace(place) {
  const flags = Object.entries(FLAGS)
    .filter(([, name]) => place[name])
    .map(([letter]) => letter)
    .join("");
  return `#${place.event}/${place.seat}${flags ? `:${flags}` : ""}`;
}
