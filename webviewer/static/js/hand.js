// The hand page: holds the place, draws it, and obeys buttons, keys, list and address.

import { Beside } from "./beside.js";
import { holdable, listen, tabs, wheel } from "./controls.js";
import { Counter } from "./counter.js";
import { Course } from "./course.js";
import { Pen, fill, set } from "./draw.js";
import { Events, drawTimeline, findingText } from "./events.js";
import { Legal } from "./legal.js";
import { Notes } from "./notes.js";
import { Address, readPlace, writePlace } from "./place.js";
import { Player, faster, nextSpeed } from "./player.js";
import { toggleColours, toggleLetters } from "./prefs.js";
import { Share } from "./share.js";
import { firstShown, laidAt, ownTurn, trickBorder, unfold } from "./steps.js";
import { Table } from "./table.js";
import { Telling } from "./telling.js";

const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId("hand-data").textContent);
const { words } = data;
const pen = new Pen(data.players, data.faces, words.remark);
const table = new Table(byId("felt"), pen, words, data.direction, data.rules);
const course = new Course(byId("tracks"), byId("course"), pen, words);
const legal = new Legal(byId("panel-legal"), pen, words, data);
const beside = new Beside(byId("panel-chart"), words, data);
const counter = new Counter(byId("counter"), pen, words);
const notes = new Notes(byId("panel-notes"), byId("timeline-notes"), words, data);
const telling = new Telling(pen, words, data);
const share = new Share(byId("share"), words, data, toast);
const address = new Address();
const player = new Player({
  next: () => steps[place.event] ?? null,
  forward: () => move(1),
  speed: () => place.speed,
  shown: playButton,
});
const known = new Map(); // eye -> what it sees: steps and findings
const asked = new Map(); // eye -> that it is on its way
const switches = document.querySelectorAll("[data-do][aria-pressed]");
const neighbours = document.querySelectorAll("a[rel=prev], a[rel=next]");
const alikes = document.querySelectorAll("a.alike");
const sheets = document.querySelectorAll("a.to-print");
const TELLING_TABS = ["tab-sheet", "tab-chart"]; // they tell how the hand ended

let place = readPlace(location.hash);
let reached = place.spoilers ? address.reached : 0; // the furthest step that was seen without spoilers
let steps = [];
let covered = false; // whether findings that lie ahead are hidden now
let events = null;
let markDone = () => {};
let select = () => {};
let tab = "tab-events";

const eyeOf = ({ hide, seat }) => (hide ? String(seat) : "all");

function load(eye) {
  if (!asked.has(eye)) asked.set(eye, fetchSteps(eye).finally(() => asked.delete(eye)));
  return asked.get(eye);
}

async function fetchSteps(eye) {
  const sees = eye === "all" ? "" : `${data.steps.includes("?") ? "&" : "?"}eye=${eye}`;
  const answer = await fetch(data.steps + sees);
  const hand = await answer.json();
  if (!answer.ok) throw new Error(hand.error);
  known.set(eye, { steps: unfold(hand), findings: hand.findings });
}

/** Take a new place: the eye changes with `hide` and the seat, everything else is redrawn. */
function go(change) {
  if (change.spoilers && !place.spoilers) reached = place.event;
  place = { ...place, ...change };
  const eye = eyeOf(place);
  if (known.has(eye)) return arrive(known.get(eye));
  conceal();
  const wanted = place;
  return load(eye).then(
    () => wanted === place && arrive(known.get(eye)),
    (error) => wanted === place && fail(error),
  );
}

/** What another eye sees goes before what this one sees is asked for: until that is there no cards and no
    sentence are in sight. */
function conceal() {
  delete document.body.dataset.ready;
  document.body.classList.remove("in-sight");
  document.body.classList.toggle("no-spoilers", place.spoilers);
  table.say("");
  if (events) address.write(place, place.spoilers ? reached : 0);
  pressed();
  carry();
}

function fail(error) {
  player.stop();
  table.say(fill(words.load_failed, { error: error.message }));
}

function arrive(seen) {
  if (steps !== seen.steps) see(seen);
  place.event = Math.min(place.event ?? firstShown(steps, place.spoilers), steps.length);
  reached = Math.max(reached, place.event);
  if (place.legal !== (tab === "tab-legal")) select(place.legal ? "tab-legal" : "tab-events");
  address.write(place, place.spoilers ? reached : 0);
  draw();
  document.body.classList.add("in-sight");
  document.body.dataset.ready = "true";
}

/** Look with another eye: steps and findings say what it may read, no more. */
function see(seen) {
  steps = seen.steps;
  legal.clear();
  if (events) events.see(steps);
  else build();
  document.querySelectorAll(".finding-text").forEach((text, number) => {
    text.replaceChildren(...findingText(seen.findings[number], pen));
  });
}

/** The first steps that come, whoever sees them, make the list, the marks and the notes. */
function build() {
  table.makeRoom(steps);
  events = new Events(byId("events"), steps, pen, words, data.index);
  markDone = drawTimeline(byId("timeline-marks"), steps);
  beside.wire(go);
  notes.wire(go, steps);
  wire();
}

/** How many steps may be known of: without spoilers those that were seen. */
const limit = () => (place.spoilers ? reached : steps.length);

function draw() {
  const step = steps[place.event - 1];
  const isCovered = limit() < steps.length;
  cover(isCovered);
  table.draw(step, place.seat, step.f);
  course.draw(step);
  counter.isOn = place.counter;
  counter.draw(step, place);
  beside.draw(step, place, isCovered);
  notes.draw(step, isCovered ? limit() : Infinity);
  events.show(place.event - 1);
  markDone(place.event - 1, limit());
  telling.draw(step, isCovered ? null : steps.length);
  slider(isCovered);
  pressed();
  carry();
  if (place.legal) legal.show(step, place.hide ? place.seat : null);
  if (place.event === steps.length) player.stop();
  events.follow();
}

function slider(isCovered) {
  const input = byId("slider");
  set(input, "max", String(limit()));
  input.value = place.event;
  input.setAttribute("aria-valuetext", isCovered ? `${place.event}` : `${place.event} / ${steps.length}`);
}

/** Without spoilers nothing that lies ahead is shown, nor how much lies there. */
function cover(isCovered) {
  document.body.classList.toggle("no-spoilers", isCovered);
  events.reach(limit());
  for (const id of TELLING_TABS) byId(id).hidden = isCovered;
  if (isCovered && TELLING_TABS.includes(tab)) select("tab-events");
  if (!place.spoilers && !covered) return;
  covered = isCovered;
  for (const finding of document.querySelectorAll(".finding")) {
    const at = Number(finding.querySelector("[data-event]")?.dataset.event ?? steps.length);
    finding.classList.toggle("ahead", at > limit());
  }
}
/** What is on, on the buttons and in the menu. */
function pressed() {
  document.body.classList.toggle("own-cards", place.hide);
  document.body.classList.toggle("at-end", place.event === steps.length);
  for (const button of switches) set(button, "ariaPressed", String(place[button.dataset.do]));
  set(byId("speed"), "textContent", `${place.speed}×`);
}

/** Links out of the page keep what is asked of it. */
function carry() {
  const fragment = writePlace({ ...place, event: null, legal: false });
  for (const link of neighbours) if (link.hash !== fragment) link.hash = fragment;
  for (const link of sheets) seenBy(link);
  if (place.event === null) return;
  // Hands like this one: like what happens at the step that the table shows.
  for (const link of alikes) {
    const to = new URL(link.href);
    to.searchParams.set("event", place.event - 1);
    link.href = to;
  }
}

/** A sheet on paper shows what the page shows: everybody's cards, or what one seat saw. */
function seenBy(link) {
  const to = new URL(link.href);
  if (place.hide) to.searchParams.set("eye", place.seat);
  else to.searchParams.delete("eye");
  link.href = to;
}

const move = (n) => go({ event: Math.min(steps.length, Math.max(1, place.event + n)) });
const by = (n) => () => move(n);
const byTrick = (way) => () => go({ event: trickBorder(steps, place.event - 1, way) + 1 });
const turnTo = (change) => () => go({ seat: (place.seat + change + 4) % 4 });
const byOwn = (way) => () => {
  const at = ownTurn(steps, place.event - 1, place.seat, way);
  const isSeen = at >= 0 && at < limit();
  // Whether this seat has another turn is not told to who wants no spoilers: it goes trick by trick then.
  if (way > 0 && !isSeen && limit() < steps.length) {
    const border = trickBorder(steps, place.event - 1, 1);
    go({ event: (at < 0 ? border : Math.min(at, border)) + 1 });
  } else if (at < 0) toast(fill(words.no_more_turns, { name: data.players[place.seat] }));
  else go({ event: at + 1 });
};

function last() {
  if (place.event < limit()) go({ event: limit() });
  else if (limit() < steps.length) toast(words.only_seen);
}

/** A number may come from several events: each click goes to the next of them. */
function nextOf(numbers) {
  return go({ event: numbers.find((n) => n > place.event) ?? numbers[0] });
}

function nextFinding(way) {
  const flawed = steps.filter((step) => step.f.length && step.n <= limit()).map((step) => step.n);
  const ahead = way > 0 ? flawed.find((n) => n > place.event) : flawed.findLast((n) => n < place.event);
  if (flawed.length) go({ event: ahead ?? (way > 0 ? flawed[0] : flawed.at(-1)) });
  else toast(words.no_findings_after);
}

/** The hand before or after this one in its log. */
function hand(rel) {
  const link = document.querySelector(`a[rel=${rel}]`);
  if (link) link.click();
  else toast(words.no_hand_there);
}

function playButton(on) {
  const button = byId("play");
  button.setAttribute("aria-label", on ? words.pause : words.play);
  button.querySelector("path").setAttribute("d", on ? "M6 4h4v16H6zM14 4h4v16h-4z" : "M7 4v16l13-8z");
}

function playOrPause() {
  if (player.isOn) return player.stop();
  if (place.event >= steps.length) go({ event: 1 });
  return player.start();
}

let toastTimer = null;
function toast(text) {
  byId("toast").textContent = text;
  byId("toast").classList.add("on");
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => byId("toast").classList.remove("on"), 1600);
}

/** A tab was chosen; the address says whether it is that of the legal plays. */
function shown(id) {
  tab = id;
  if (id === "tab-chart") beside.open(steps, place, limit() < steps.length);
  if (place.legal !== (id === "tab-legal")) go({ legal: id === "tab-legal" });
}

/** Everything that a button, an entry of the menu or a key can do. */
const acts = {
  first: () => go({ event: 1 }), last,
  back: by(-1), forward: by(1), "back-trick": byTrick(-1), "forward-trick": byTrick(1),
  "own-back": byOwn(-1), "own-forward": byOwn(1),
  play: playOrPause, speed: () => go({ speed: nextSpeed(place.speed) }),
  faster: () => go({ speed: faster(place.speed, 1) }), slower: () => go({ speed: faster(place.speed, -1) }),
  "turn-table": turnTo(1), "turn-back": turnTo(-1),
  hide: () => go({ hide: !place.hide }), spoilers,
  counter: () => {
    counter.toggle();
    go({ counter: counter.isOn });
  },
  bookmark: () => notes.mark(), why: () => select(place.legal ? "tab-events" : "tab-legal"),
  "next-finding": () => nextFinding(1), "last-finding": () => nextFinding(-1),
  "last-hand": () => hand("prev"), "next-hand": () => hand("next"),
  share: () => share.open(place), copy: () => share.copyLink(place),
  colours: () => toast(toggleColours() ? words.colours_four : words.colours_two),
  letters: () => toast(toggleLetters() ? words.letters_on : words.letters_off),
  language: () => byId("language").click(), help: () => byId("help").showModal(),
  stop: () => player.stop(),
};

const KEYS = {
  ArrowRight: "forward", j: "forward", ArrowLeft: "back", k: "back",
  ArrowDown: "own-forward", ArrowUp: "own-back", "]": "forward-trick", "[": "back-trick",
  Home: "first", End: "last", " ": "play", "+": "faster", "=": "faster", "-": "slower",
  f: "turn-table", v: "turn-table", c: "turn-back", h: "hide", s: "spoilers", w: "why", r: "counter",
  m: "bookmark", n: "next-finding", N: "last-finding", PageUp: "last-hand", "{": "last-hand",
  PageDown: "next-hand", "}": "next-hand", b: "copy", l: "language", 4: "colours", a: "letters",
  "?": "help", Escape: "stop",
};

function spoilers() {
  go({ spoilers: !place.spoilers });
  toast(place.spoilers ? words.spoilers_on : words.spoilers_off);
}

const HELD = ["back", "forward", "back-trick", "forward-trick", "own-back", "own-forward"];

function wire() {
  for (const button of document.querySelectorAll("[data-do]")) {
    const act = acts[button.dataset.do];
    if (HELD.includes(button.dataset.do)) holdable(button, act);
    else button.addEventListener("click", act);
    if (button.closest(".menu-list")) button.addEventListener("click", () => (byId("menu").open = false));
  }
  byId("slider").addEventListener("input", (event) => go({ event: Number(event.target.value) }));
  document.addEventListener("click", clicked);
  byId("language").addEventListener("click", () => address.flush(), { capture: true });
  addEventListener("hashchange", () => go(readPlace(location.hash)));
  select = tabs(document.querySelector("[role=tablist]"), shown);
  wheel(byId("felt"), move);
  const wanted = Object.fromEntries(Object.entries(KEYS).map(([key, name]) => [key, acts[name]]));
  listen(wanted);
}

function clicked(event) {
  const target = event.target.closest("[data-event], [data-events], [data-sit], [data-laid]");
  if (!target) return;
  const { event: at, events: several, sit, laid } = target.dataset;
  if (several) nextOf(several.split(" ").map(Number));
  else if (sit) go({ seat: Number(sit) });
  else if (laid) go({ event: laidAt(steps, place.event - 1, Number(laid)) + 1 });
  else go({ event: Number(at) });
}

place.counter ||= counter.isOn;
go({});
