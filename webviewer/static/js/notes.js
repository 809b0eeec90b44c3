// Notes and bookmarks of one hand: a panel beside the table, and marks on the timeline.

import { el, fill } from "./draw.js";
import { MARKS, StoreError, isBare, newNote, onChange, read, write } from "./notestore.js";

let number = 0; // of elements that labels point to

const button = (className, text, act, label = "") => {
  const made = el("button", className, text);
  made.type = "button";
  if (label) made.setAttribute("aria-label", label);
  made.addEventListener("click", act);
  return made;
};

/** A note's mark, and its text or what stands for one. */
export function noteBody(note, words) {
  const mark = note.mark ? el("b", "note-mark", note.mark) : el("span", "note-mark", "★");
  if (!note.mark) mark.setAttribute("aria-hidden", "true");
  return [mark, " ", note.text ? el("span", "note-text", note.text) : el("span", "note-none", words.notes_bookmark)];
}

export function noteTime(note) {
  const time = el("time", "", new Date(note.changed).toLocaleString(document.documentElement.lang));
  time.dateTime = new Date(note.changed).toISOString();
  return time;
}

export class Notes {
  constructor(panel, marks, words, data) {
    Object.assign(this, { panel, marks, words, data });
    this.step = null;
    this.steps = [];
    this.notes = [];
    this.editing = null; // the note in the form, or null for a new one
    this.typedAt = null; // the step at which typing began: the text stays with it
    this.lost = null; // what the last act took away, to be brought back
    this.limit = Infinity; // notes on steps beyond it lie ahead, and are not told of
    this.go = () => {};
    this.build();
    onChange(() => this.load());
  }

  /** `go` takes whoever clicks to an event; `steps` are those of the hand. */
  wire(go, steps) {
    Object.assign(this, { go, steps });
    this.load();
  }

  build() {
    const { words } = this;
    const id = `note-${(number += 1)}`;
    this.told = el("p", "notes-told");
    this.told.setAttribute("role", "status");
    this.undo = button("notes-undo", words.notes_undo, () => this.bringBack());
    this.undo.hidden = true;
    this.legend = el("legend", "");
    const choices = el("div", "note-marks");
    this.choices = ["", ...MARKS].map((mark) => this.choice(choices, `${id}-mark`, mark));
    this.text = el("textarea", "");
    Object.assign(this.text, { id, rows: 3, maxLength: 4000 });
    this.text.addEventListener("input", () => {
      this.typedAt ??= this.step?.n ?? null;
      if (!this.text.value && !this.editing) this.typedAt = null;
      this.head();
    });
    const label = el("label", "", words.notes_text);
    label.htmlFor = id;
    this.cancel = button("", words.notes_cancel, () => this.clear());
    const save = el("button", "primary", words.notes_save);
    save.type = "submit";
    const set = el("fieldset", "", this.legend, choices, label, this.text, el("div", "note-acts", save, this.cancel));
    this.form = el("form", "note-form", set);
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.save();
    });
    this.list = el("ol", "note-list");
    this.ahead = el("p", "hint notes-ahead", words.notes_ahead);
    this.ahead.hidden = true;
    const link = el("a", "", words.notes_all);
    link.href = this.data.notes ?? "/notes";
    this.panel.replaceChildren(this.form, el("div", "notes-say", this.told, this.undo), this.list, this.ahead, el("p", "hint", words.notes_kept, " ", link));
  }

  choice(box, name, mark) {
    const input = el("input", "");
    Object.assign(input, { type: "radio", name, value: mark, checked: mark === "" });
    const said = mark ? this.words[`notes_mark_${MARKS.indexOf(mark)}`] : this.words.notes_mark_none;
    const label = el("label", "", input, el("span", "", mark || "—"));
    input.setAttribute("aria-label", mark ? `${mark} ${said}` : said);
    label.title = said;
    box.append(label);
    return input;
  }

  /** Whatever the storage has of this hand now; says so where it has none to give. */
  load() {
    this.attempt(() => {
      const { notes, isBroken } = read(this.data.hand);
      this.notes = notes;
      if (isBroken) this.say(this.words.notes_broken);
    });
    this.show();
  }

  /** Run what touches the storage; false, and a sentence, if it is off or full. */
  attempt(act) {
    try {
      act();
      return true;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.say(error.message === "full" ? this.words.notes_full : this.words.notes_off);
      return false;
    }
  }

  /** Change the notes as they are in the storage now: another tab may have written there. */
  change(alter) {
    return this.attempt(() => {
      const notes = alter(read(this.data.hand).notes);
      write(this.data.hand, document.querySelector("main h1")?.textContent.trim() ?? "", notes);
      this.notes = read(this.data.hand).notes;
    });
  }

  /** Put a bookmark at the step that the table shows, or take it away. */
  mark() {
    if (!this.step) return;
    const step = this.step.n;
    const here = this.notes.filter((note) => note.step === step);
    const bare = here.find(isBare);
    if (bare) return this.remove(bare);
    if (here.length) return this.announce(fill(this.words.notes_here, { step }));
    if (this.change((notes) => [...notes, newNote(step, "", "")])) this.announce(fill(this.words.notes_marked, { step }));
    this.show();
    return undefined;
  }

  save() {
    const mark = this.choices.find((choice) => choice.checked).value;
    const text = this.text.value.trim();
    const old = this.editing;
    const step = old?.step ?? this.typedAt ?? this.step?.n;
    if (!step) return;
    const made = old ? { ...old, mark, text, changed: Date.now() } : newNote(step, mark, text);
    if (!this.change((notes) => [...notes.filter((note) => note.id !== made.id), made])) return;
    this.lost = old ? { put: old } : null;
    this.clear();
    this.announce(fill(this.words.notes_saved, { step }), old !== null);
    this.show();
  }

  edit(note) {
    if (this.text.value.trim() && this.text.value.trim() !== this.editing?.text) {
      this.say(this.words.notes_unsaved);
      this.text.focus();
      return;
    }
    this.editing = note;
    this.text.value = note.text;
    for (const choice of this.choices) choice.checked = choice.value === note.mark;
    this.head();
    this.text.focus();
  }

  remove(note) {
    if (!this.change((notes) => notes.filter((other) => other.id !== note.id))) return;
    if (this.editing?.id === note.id) this.editing = null;
    this.lost = { put: note };
    this.announce(fill(this.words.notes_removed, { step: note.step }), true);
    this.show();
  }

  bringBack() {
    const { put } = this.lost ?? {};
    if (!put) return;
    if (!this.change((notes) => [...notes.filter((note) => note.id !== put.id), put])) return;
    this.lost = null;
    this.announce(fill(this.words.notes_back, { step: put.step }));
    this.show();
    this.list.querySelector(`[data-note="${put.id}"] .goto`)?.focus();
  }

  clear() {
    this.editing = null;
    this.typedAt = null;
    this.text.value = "";
    this.choices[0].checked = true;
    this.head();
  }

  /** The table shows another step; those up to `limit` may be known of. */
  draw(step, limit) {
    Object.assign(this, { step, limit });
    this.head();
    this.current();
  }

  /** Over the form: which step it writes about. */
  head() {
    const { words } = this;
    const step = this.editing?.step ?? this.typedAt ?? this.step?.n ?? 1;
    const said = fill(this.editing ? words.notes_edit_at : words.notes_new_at, { step });
    if (this.legend.textContent !== said) this.legend.textContent = said;
    this.cancel.hidden = !this.editing && !this.text.value;
  }

  show() {
    this.list.replaceChildren(...this.notes.map((note) => this.line(note)));
    const at = (note) => `${(100 * (note.step - 1)) / Math.max(1, this.steps.length - 1)}%`;
    const within = this.notes.filter((note) => note.step <= this.steps.length);
    this.marks.replaceChildren(
      ...within.map((note) => {
        const sign = el("span", "note-sign", note.mark || "★");
        sign.style.left = at(note);
        sign.dataset.event = note.step;
        sign.title = note.text || this.words.notes_bookmark;
        return sign;
      }),
    );
    this.head();
    this.current();
  }

  line(note) {
    const { words } = this;
    const goto = button("goto", fill(words.notes_step, { step: note.step }), () => {});
    goto.dataset.event = note.step;
    const which = { step: note.step };
    const acts = el(
      "div",
      "note-acts",
      noteTime(note),
      button("", words.notes_edit, () => this.edit(note), fill(words.notes_edit_at, which)),
      button("", words.notes_delete, () => this.remove(note), fill(words.notes_delete_at, which)),
    );
    const line = el("li", "", goto, " ", ...noteBody(note, words), acts);
    line.dataset.note = note.id;
    return line;
  }

  /** Which of the notes are about the step that the table shows, and which about what lies ahead. */
  current() {
    this.notes.forEach((note, at) => {
      const line = this.list.children[at];
      line?.classList.toggle("at-step", note.step === this.step?.n);
      line?.classList.toggle("ahead", note.step > this.limit);
    });
    this.ahead.hidden = !this.notes.some((note) => note.step > this.limit);
  }

  say(text, canUndo = false) {
    this.told.textContent = text;
    this.undo.hidden = !canUndo;
    if (!canUndo) this.lost = null;
  }

  /** Say it in the panel; where that is not looked at, at the foot of the page too. */
  announce(text, canUndo = false) {
    this.say(text, canUndo);
    const toast = document.getElementById("toast");
    if (!this.panel.hidden || !toast) return;
    toast.textContent = text;
    toast.classList.add("on");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => toast.classList.remove("on"), 1600);
  }
}
