// The steps of a hand: each came as the difference to the one before; here they become tables.

const sorted = (letters) => Array.from(letters).sort().join("");

function merged(before, change) {
  if (!before) return change;
  const board = { ...before, ...change };
  if (change.seats && !Array.isArray(change.seats)) {
    // a seat that did not change stays the same object: by that the table sees it need not be drawn
    board.seats = before.seats.map((seat, number) => (change.seats[number] ? { ...seat, ...change.seats[number] } : seat));
  }
  return board;
}

/** All steps with their tables; `board` is null before the first one, `f` are the step's findings. */
export function unfold(hand) {
  let board = null;
  let closed = null; // the last trick that lay on the table, shown until the next lead
  let bottoms = []; // the bottoms so far, each as long as it was the same seat's
  return hand.steps.map((step, index) => {
    const before = board;
    if (step.b) board = merged(board, step.b);
    if (before && board !== before && before.table.length && !board.table.length) {
      closed = closing(before, board, step);
    }
    if (board?.table.length) closed = null;
    if (board?.bottom) bottoms = withBottom(bottoms, board.bottom);
    const unverified = hand.unverified !== null && index >= hand.unverified;
    const moved = step.b?.moves?.slice(before?.moves?.length ?? 0) ?? []; // by this very step
    return { ...step, n: index + 1, f: (step.f ?? []).map((number) => hand.findings[number]), board, closed, bottoms, moved, unverified };
  });
}

/** A closed trick. The act that closed it is not on the table any more: it comes from the event.
    After a pass the play that stood has won; after a play whoever leads next has. */
function closing(before, board, step) {
  const act = step.s === null || step.a !== "fact" ? [] : [step];
  const table = [...before.table, ...act];
  const played = act.length > 0 && step.c !== "";
  const beat = played ? table.find((laid) => laid.s === board.turn) ?? null : before.beat;
  return { table, beat, attempt: before.attempt };
}

/** The bottoms with one more, or with the last one as it is seen now. */
function withBottom(bottoms, bottom) {
  const last = bottoms.at(-1);
  // what one seat takes is what another has buried: that stands there already
  if (last?.c && bottom.c && sorted(last.c) === sorted(bottom.c)) return bottoms;
  // where it lies unseen is worth one line, and what was turned up of it is not forgotten
  const isForgotten = last?.t && !bottom.t;
  if (last && last.c === null && bottom.c === null && !isForgotten) return [...bottoms.slice(0, -1), bottom];
  if (!last || JSON.stringify(last.l) !== JSON.stringify(bottom.l)) return [...bottoms, bottom];
  return last.c === bottom.c ? bottoms : [...bottoms.slice(0, -1), bottom];
}

/** Where a hand opens that no address says a step of: at its first finding, otherwise, and for whoever
    wants no spoilers, where the cards are dealt; its number, from 1. */
export function firstShown(steps, spoilers) {
  const flawed = spoilers ? undefined : steps.find((step) => step.f.length);
  const dealt = steps.find((step) => step.board?.seats.some((seat) => seat.n > 0));
  return (flawed ?? dealt ?? steps[0]).n;
}

/** Index of the first step of the next or previous trick, seen from a step. */
export function trickBorder(steps, from, way) {
  const here = steps[from].t;
  let at = from;
  if (way > 0) {
    while (at < steps.length - 1 && steps[at].t <= here) at += 1;
    return at;
  }
  const start = steps.findIndex((step) => step.t === here);
  if (from > start) return start;
  const before = steps[Math.max(0, start - 1)].t;
  return steps.findIndex((step) => step.t === before);
}

/** Index of the next or previous step in which a seat acts; -1 if there is none. Claims are nobody's acts. */
export function ownTurn(steps, from, seat, way) {
  for (let at = from + way; steps[at]; at += way) if (acts(steps[at], seat)) return at;
  return -1;
}

/** Index of the step in which a seat laid what lies before it at a step. */
export function laidAt(steps, from, seat) {
  let at = from;
  while (at > 0 && !acts(steps[at], seat)) at -= 1;
  return at;
}

function acts(step, seat) {
  return step.s === seat && step.a === "fact";
}
