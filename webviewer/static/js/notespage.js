// All notes of this browser, over all hands: each leads to its place; out and in as a file.

import { el, fill } from "./draw.js";
import { noteBody, noteTime } from "./notes.js";
import { StoreError, all, fileOf, isThere, onChange, read, takeIn, write } from "./notestore.js";

const byId = (id) => document.getElementById(id);
const { words, hand: HAND } = JSON.parse(byId("notes-data").textContent);
const LARGEST = 20_000_000; // bytes of a file
const AT_ONCE = 300; // notes that are drawn, and that are added to them: thousands take seconds
let shown = AT_ONCE;
let undo = null;

function say(lines, back = null) {
  byId("told").replaceChildren(...lines.map((line) => el("p", "", line)));
  undo = back;
  byId("undo").hidden = !back;
}

/** Run what touches the storage, or say why it does not. */
function attempt(act) {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    say([error.message === "full" ? words.notes_full : words.notes_off]);
    return null;
  }
}

function address(hand, step) {
  return `${HAND.replace("0000000000000000", hand)}#${step}`;
}

function show() {
  const found = attempt(all);
  if (!found) return;
  const { hands, broken } = found;
  const n = hands.reduce((sum, { notes }) => sum + notes.length, 0);
  byId("count").textContent = fill(words.notes_count, { n, hands: hands.length });
  byId("broken").hidden = broken === 0;
  byId("broken").textContent = fill(words.notes_broken_n, { n: broken });
  byId("export").disabled = n === 0;
  byId("none").hidden = n > 0;
  byId("hands").replaceChildren(...firstOf(hands, shown).map(section));
  byId("more").hidden = n <= shown;
  byId("more").textContent = fill(words.notes_more, { n: Math.min(AT_ONCE, n - shown) });
}

/** The hands with so many notes in all, those of the last of them cut. */
function firstOf(hands, most) {
  const found = [];
  for (const { notes, ...hand } of hands) {
    if (most <= 0) break;
    found.push({ ...hand, notes: notes.slice(0, most) });
    most -= notes.length;
  }
  return found;
}

/** Draw the next ones; the first of them has the focus, for the button may go. */
function showMore() {
  const before = shown;
  shown += AT_ONCE;
  show();
  byId("hands").querySelectorAll(".note-list .goto")[before]?.focus();
}

function section({ hand, title, notes }) {
  const head = el("a", "", el("bdi", "", title || hand));
  head.href = address(hand, notes[0].step);
  const lines = notes.map((note) => line(hand, title, note));
  return el("section", "notes-hand", el("h2", "", head), el("ol", "note-list", ...lines));
}

function line(hand, title, note) {
  const link = el("a", "goto", fill(words.notes_step, { step: note.step }));
  link.href = address(hand, note.step);
  const remove = el("button", "", words.notes_delete);
  remove.type = "button";
  remove.setAttribute("aria-label", `${fill(words.notes_delete_at, { step: note.step })} · ${title || hand}`);
  remove.addEventListener("click", () => takeAway(hand, note));
  return el("li", "", link, " ", ...noteBody(note, words), el("div", "note-acts", noteTime(note), remove));
}

function takeAway(hand, note) {
  attempt(() => {
    const { title, notes } = read(hand);
    write(hand, title, notes.filter((other) => other.id !== note.id));
    say([fill(words.notes_removed, { step: note.step })], () => {
      const now = read(hand);
      write(hand, now.title || title, [...now.notes.filter((other) => other.id !== note.id), note]);
      say([fill(words.notes_back, { step: note.step })]);
    });
    show();
    byId("undo").focus();
  });
}

function exportAll() {
  const found = attempt(all);
  if (!found) return;
  const link = el("a", "");
  link.href = URL.createObjectURL(new Blob([fileOf(found.hands)], { type: "application/json" }));
  link.download = `paipu-notes-${new Date().toISOString().slice(0, 10)}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

async function importFile(file) {
  if (file.size > LARGEST) {
    say([fill(words.notes_file_large, { file: file.name })]);
    return;
  }
  const text = await file.text();
  try {
    const told = attempt(() => takeIn(text));
    if (!told) return;
    const isChanged = told.fresh + told.changed > 0;
    say(report(told, file.name), isChanged ? told.undo : null);
    if (isChanged) show();
  } catch (error) {
    const said = words[`notes_file_${error.message}`];
    if (!said) throw error;
    say([fill(said, { file: file.name })]);
  }
}

function report({ fresh, changed, same, older, refused }, file) {
  const lines = [fill(words.notes_taken, { file, fresh, changed, same })];
  if (older) lines.push(fill(words.notes_older, { n: older }));
  for (const [why, n] of Object.entries(refused)) {
    lines.push(fill(words.notes_refused, { n, why: words[`notes_bad_${why}`] }));
  }
  return lines;
}

function start() {
  byId("export").addEventListener("click", exportAll);
  byId("more").addEventListener("click", showMore);
  byId("import").addEventListener("change", async (event) => {
    const [file] = event.target.files;
    if (file) await importFile(file);
    event.target.value = "";
  });
  byId("undo").addEventListener("click", () => {
    const act = undo;
    say([words.notes_undone]);
    attempt(() => act());
    show();
    byId("told").focus();
  });
  onChange(show);
  show();
  if (!isThere()) say([words.notes_off]);
  document.body.dataset.ready = "true";
}

start();
