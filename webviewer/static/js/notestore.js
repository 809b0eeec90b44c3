// Notes as this browser keeps them, one entry of its storage a hand; and as a file, out and in.
// What cannot be read is never written over: it is set aside under another name.

const PREFIX = "paipu.notes.";
const ASIDE = "paipu.set-aside.";
const FORMAT = "paipu-notes";
const VERSION = 1;
const HAND = /^[0-9a-f]{16}$/;
const ID = /^[0-9a-z]{1,40}$/;
const LONGEST = 4000; // characters of a note
const LAST_STEP = 999999;
export const MARKS = ["!!", "!", "!?", "?!", "?", "??"];

/** Storage is `off`, or it is `full`. */
export class StoreError extends Error {}

/** Whether this browser keeps anything for us. */
export function isThere() {
  try {
    localStorage.getItem(PREFIX);
    return true;
  } catch {
    return false;
  }
}

function attempt(act) {
  try {
    return act();
  } catch (error) {
    throw new StoreError(error?.name === "QuotaExceededError" ? "full" : "off");
  }
}

/** Why something is not a note: a word of `notes_bad_*`; empty for a good one. */
function wrong(note) {
  if (typeof note !== "object" || note === null || Array.isArray(note)) return "note";
  if (typeof note.id !== "string" || !ID.test(note.id)) return "id";
  if (!Number.isInteger(note.step) || note.step < 1 || note.step > LAST_STEP) return "step";
  if (note.mark !== "" && !MARKS.includes(note.mark)) return "mark";
  if (typeof note.text !== "string" || note.text.length > LONGEST) return "text";
  if (!isTime(note.at) || !isTime(note.changed)) return "time";
  return "";
}

const isTime = (at) => Number.isInteger(at) && at >= 0 && at <= 8.64e15;

const plain = ({ id, step, mark, text, at, changed }) => ({ id, step, mark, text, at, changed });

const inOrder = (notes) => notes.sort((a, b) => a.step - b.step || a.at - b.at);

/** The notes of a hand: its title when one was last written, and the notes by step. */
export function read(hand) {
  const raw = attempt(() => localStorage.getItem(PREFIX + hand));
  if (raw === null) return { title: "", notes: [], isBroken: false };
  try {
    const { title, notes } = JSON.parse(raw);
    if (typeof title !== "string" || notes.some(wrong)) throw new Error(raw);
    return { title, notes: inOrder(notes), isBroken: false };
  } catch {
    return { title: "", notes: [], isBroken: true };
  }
}

/** Keep the notes of a hand; without any, nothing of it is kept. */
export function write(hand, title, notes) {
  attempt(() => {
    const raw = localStorage.getItem(PREFIX + hand);
    if (raw !== null && read(hand).isBroken) localStorage.setItem(`${ASIDE}${hand}.${Date.now()}`, raw);
    if (notes.length) localStorage.setItem(PREFIX + hand, JSON.stringify({ title, notes: notes.map(plain) }));
    else localStorage.removeItem(PREFIX + hand);
  });
}

/** Every hand that has notes, the one last written in first; `broken` counts what cannot be read. */
export function all() {
  const names = attempt(() => Object.keys(localStorage));
  const hands = names.filter((name) => name.startsWith(PREFIX) && HAND.test(name.slice(PREFIX.length)));
  const found = hands.map((name) => ({ hand: name.slice(PREFIX.length), ...read(name.slice(PREFIX.length)) }));
  const latest = ({ notes }) => Math.max(...notes.map((note) => note.changed));
  const aside = names.filter((name) => name.startsWith(ASIDE)).length;
  return {
    hands: found.filter(({ notes }) => notes.length).sort((a, b) => latest(b) - latest(a)),
    broken: found.filter(({ isBroken }) => isBroken).length + aside,
  };
}

export function newNote(step, mark, text) {
  const now = Date.now();
  const id = now.toString(36) + Math.random().toString(36).slice(2, 10);
  return { id, step, mark, text: text.slice(0, LONGEST), at: now, changed: now };
}

/** A note that is no more than a bookmark. */
export const isBare = (note) => !note.text && !note.mark;

/** The notes of some hands as the text of a file. */
export function fileOf(hands) {
  const kept = hands.map(({ hand, title, notes }) => ({ hand, title, notes: notes.map(plain) }));
  return `${JSON.stringify({ format: FORMAT, version: VERSION, hands: kept }, null, 1)}\n`;
}

/** The hands of a file; what is wrong with it as a whole is thrown as a word of `notes_file_*`. */
function handsIn(text) {
  let file;
  try {
    file = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    throw new Error("broken");
  }
  if (file?.format !== FORMAT) throw new Error("foreign");
  if (file.version !== VERSION) throw new Error("version");
  if (!Array.isArray(file.hands)) throw new Error("broken");
  return file.hands;
}

/** Take the notes of a file in. Of a note that is on both sides the one that was changed last stays.
    Either all of it is taken in, or, where the storage is full, nothing. */
export function takeIn(text) {
  const told = { fresh: 0, changed: 0, same: 0, older: 0, refused: {} };
  const before = new Map(); // hand -> its entry as it was
  const refuse = (why, n = 1) => {
    told.refused[why] = (told.refused[why] ?? 0) + n;
  };
  try {
    for (const entry of handsIn(text)) {
      const isHand = typeof entry?.hand === "string" && HAND.test(entry.hand) && Array.isArray(entry.notes);
      if (!isHand) refuse("hand", Array.isArray(entry?.notes) ? entry.notes.length : 1);
      else takeHand(entry, before, told, refuse);
    }
  } catch (error) {
    if (error instanceof StoreError) putBack(before);
    throw error;
  }
  return { ...told, undo: () => putBack(before) };
}

function takeHand(entry, before, told, refuse) {
  const { title, notes } = read(entry.hand);
  const ours = new Map(notes.map((note) => [note.id, note]));
  for (const note of entry.notes) {
    const why = wrong(note);
    if (why) refuse(why);
    else told[merge(ours, plain(note))] += 1;
  }
  if (!ours.size) return;
  if (!before.has(entry.hand)) before.set(entry.hand, attempt(() => localStorage.getItem(PREFIX + entry.hand)));
  const theirs = typeof entry.title === "string" ? entry.title.slice(0, 300) : "";
  write(entry.hand, title || theirs, inOrder([...ours.values()]));
}

function merge(ours, note) {
  const mine = ours.get(note.id);
  if (mine && JSON.stringify(plain(mine)) === JSON.stringify(note)) return "same";
  if (mine && mine.changed >= note.changed) return "older";
  ours.set(note.id, note);
  return mine ? "changed" : "fresh";
}

function putBack(before) {
  attempt(() => {
    for (const [hand] of before) localStorage.removeItem(PREFIX + hand);
    for (const [hand, raw] of before) if (raw !== null) localStorage.setItem(PREFIX + hand, raw);
  });
}

/** Call when another tab has written notes. */
export function onChange(act) {
  addEventListener("storage", (event) => {
    if (event.key === null || event.key.startsWith(PREFIX)) act();
  });
}
