// The hand page: holds the place, draws it, and obeys buttons, keys, list and address.

import { Beside } from "./beside.js";
import { holdable, listen, tabs } from "./controls.js";
import { Counter } from "./counter.js";
import { Course } from "./course.js";
import { Pen, el, fill } from "./draw.js";
import { Events, drawTimeline, plainSentence, sentence } from "./events.js";
import { Legal } from "./legal.js";
import { Notes } from "./notes.js";
import { readPlace, writePlace } from "./place.js";
import { toggleColours } from "./prefs.js";
import { firstShown, trickBorder, unfold } from "./steps.js";
import { Table } from "./table.js";

const SPEEDS = [0.5, 1, 2, 4, 8];
const BEAT = 900; // ms between facts at speed 1; claims follow faster
const CLAIM_SHARE = 0.45;

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
const known = new Map(); // eye -> what it sees: steps and findings

let place = readPlace(location.hash);
let steps = [];
let events = null;
let markDone = () => {};
let playing = null;
let speed = 1;
let spoken = "";
let select = () => {};
let tab = "tab-events";

async function load(eye) {
  const name = eye === null ? "all" : String(eye);
  if (!known.has(name)) {
    const answer = await fetch(`${data.steps}${eye === null ? "" : `${data.steps.includes("?") ? "&" : "?"}eye=${eye}`}`);
    if (!answer.ok) throw new Error(`${answer.status}`);
    const hand = await answer.json();
    known.set(name, { steps: unfold(hand), findings: hand.findings });
  }
  return known.get(name);
}

/** Take a new place: the eye changes with `hide` and the seat, everything else is redrawn. */
async function go(change) {
  place = { ...place, ...change };
  place.event ??= firstShown(steps, place.spoilers);
  const wanted = place;
  try {
    const seen = await load(place.hide ? place.seat : null);
    if (wanted !== place) return; // overtaken by a later step
    if (steps !== seen.steps) see(seen);
  } catch (error) {
    table.say(fill(words.load_failed, { error: error.message }));
    return;
  }
  place.event = Math.min(place.event, steps.length);
  if (place.legal !== (tab === "tab-legal")) select(place.legal ? "tab-legal" : "tab-events");
  // Navigation inside a hand is no page of its own: Back leaves the hand.
  history.replaceState(null, "", writePlace(place));
  draw();
}

/** Look with another eye: steps and findings say what it may read, no more. */
function see(seen) {
  steps = seen.steps;
  events.see(steps);
  document.querySelectorAll(".finding-text").forEach((text, number) => {
    text.textContent = seen.findings[number].text;
  });
}

function draw() {
  const step = steps[place.event - 1];
  table.draw(step, place.seat, step.f);
  course.draw(step);
  counter.draw(step, place);
  beside.draw(step);
  notes.draw(step);
  events.show(place.event - 1);
  markDone(place.event - 1);
  byId("slider").value = place.event;
  byId("slider").setAttribute("aria-valuetext", `${place.event} / ${steps.length}`);
  document.body.classList.toggle("no-spoilers", place.spoilers);
  document.body.classList.toggle("own-cards", place.hide);
  caption(step);
  here(step.f);
  if (place.legal) legal.show(step, place.hide ? place.seat : null);
  byId("hide").setAttribute("aria-pressed", String(place.hide));
  // Hands like this one: like what happens at the step that the table shows.
  for (const link of document.querySelectorAll("a.alike")) {
    const address = new URL(link.href);
    address.searchParams.set("event", step.n - 1);
    link.href = address;
  }
  if (place.event === steps.length) stop();
}

function caption(step) {
  const { board } = step;
  const number = place.spoilers ? `${step.n}` : `${step.n} / ${steps.length}`;
  byId("caption-number").textContent = number;
  byId("caption-line").replaceChildren(...sentence(step, pen));
  const ask = byId("caption-ask");
  ask.replaceChildren();
  if (board && !step.unverified) {
    if (board.turn !== null) ask.append("→ ", pen.name(board.turn), " ");
    ask.append(board.ask);
    for (const must of board.must) ask.append(" · ", ...pen.phrase(must));
  }
  const live = byId("live");
  spoken = fill(words.announce, { n: step.n, what: plainSentence(step, pen) });
  if (step.f.length) spoken += ` ${words.finding_here}`;
  live.textContent = spoken;
}

function here(findings) {
  const box = byId("findings-here");
  box.hidden = findings.length === 0;
  box.replaceChildren(...findings.map(notice));
}

function notice(finding) {
  const rule = el("a", "rule-link", finding.rule);
  if (!finding.rule.startsWith("format.")) rule.href = `${data.rules}#${finding.rule}`;
  const detail = el("p", "detail");
  for (const what of ["expected", "logged", "proof"]) {
    if (finding[what]) detail.append(el("span", "", `${words[what]} `, el("code", "", finding[what])));
  }
  detail.append(el("span", "", fill(words.in_reports, { event: finding.event, hand: data.index })));
  const sign = el("span", "finding-sign", "▲");
  return el("div", "here", sign, el("p", "", finding.text, " ", rule), detail);
}

const by = (n) => () => go({ event: Math.min(steps.length, Math.max(1, place.event + n)) });
const byTrick = (way) => () => go({ event: trickBorder(steps, place.event - 1, way) + 1 });
const turnTo = (change) => () => go({ seat: (place.seat + change + 4) % 4 });

/** A number may come from several events: each click goes to the next of them. */
function nextOf(numbers) {
  return go({ event: numbers.find((n) => n > place.event) ?? numbers[0] });
}

function nextFinding(way) {
  const flawed = steps.filter((step) => step.f.length).map((step) => step.n);
  const ahead = way > 0 ? flawed.find((n) => n > place.event) : flawed.findLast((n) => n < place.event);
  if (flawed.length) go({ event: ahead ?? (way > 0 ? flawed[0] : flawed.at(-1)) });
  else toast(words.no_findings_after);
}

function stop() {
  clearTimeout(playing);
  playing = null;
  playButton(false);
}

function playButton(on) {
  const button = byId("play");
  button.setAttribute("aria-label", on ? words.pause : words.play);
  button.querySelector("path").setAttribute("d", on ? "M6 4h4v16H6zM14 4h4v16h-4z" : "M7 4v16l13-8z");
}

function tick() {
  const next = steps[place.event];
  if (!next) return stop();
  const pause = (BEAT / speed) * (next.a === "claim" ? CLAIM_SHARE : 1);
  playing = setTimeout(async () => {
    await go({ event: place.event + 1 });
    if (playing !== null) tick();
  }, pause);
  return undefined;
}

function playOrPause() {
  if (playing !== null) return stop();
  playButton(true);
  if (place.event >= steps.length) go({ event: 1 });
  tick();
  return undefined;
}

function faster(change) {
  const at = SPEEDS.indexOf(speed) + change;
  speed = SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at))];
  byId("speed").textContent = `${speed}×`;
}

let toastTimer = null;
function toast(text) {
  byId("toast").textContent = text;
  byId("toast").classList.add("on");
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => byId("toast").classList.remove("on"), 1600);
}

async function copy() {
  try {
    await navigator.clipboard.writeText(location.href);
    toast(words.copied);
  } catch {
    toast(fill(words.copy_failed, { link: location.href }));
  }
}

/** A tab was chosen; the address says whether it is that of the legal plays. */
function shown(id) {
  tab = id;
  if (id === "tab-chart") beside.open(steps, place);
  if (place.legal !== (id === "tab-legal")) go({ legal: id === "tab-legal" });
}

function wire() {
  const hide = () => go({ hide: !place.hide });
  const buttons = { first: () => go({ event: 1 }), last: () => go({ event: steps.length }) };
  Object.assign(buttons, { play: playOrPause, "turn-table": turnTo(1), hide, copy });
  buttons.speed = () => faster(speed === SPEEDS.at(-1) ? -SPEEDS.length : 1);
  buttons["next-finding"] = () => nextFinding(1);
  buttons["help-open"] = () => byId("help").showModal();
  buttons["help-menu"] = () => {
    byId("menu").open = false;
    byId("help").showModal();
  };
  for (const [id, act] of Object.entries(buttons)) byId(id)?.addEventListener("click", act);
  const held = { back: by(-1), forward: by(1), "back-trick": byTrick(-1), "forward-trick": byTrick(1) };
  for (const [id, act] of Object.entries(held)) holdable(byId(id), act);
  byId("slider").addEventListener("input", (event) => go({ event: Number(event.target.value) }));
  document.addEventListener("click", (event) => {
    const target = event.target.closest("[data-event], [data-events], [data-sit]");
    if (!target) return;
    if (target.dataset.events) return nextOf(target.dataset.events.split(" ").map(Number));
    if (target.dataset.sit) go({ seat: Number(target.dataset.sit) });
    else go({ event: Number(target.dataset.event) });
    return undefined;
  });
  addEventListener("hashchange", () => go(readPlace(location.hash)));
  select = tabs(document.querySelector("[role=tablist]"), shown);
  listen(keys(buttons, held, hide), byId("help"));
}

function keys(buttons, held, hide) {
  return {
    ArrowRight: held.forward, j: held.forward, ArrowLeft: held.back, k: held.back,
    ArrowDown: held["forward-trick"], "]": held["forward-trick"],
    ArrowUp: held["back-trick"], "[": held["back-trick"],
    Home: buttons.first, End: buttons.last, " ": playOrPause,
    "+": () => faster(1), "=": () => faster(1), "-": () => faster(-1),
    f: turnTo(2), v: turnTo(1), c: turnTo(-1), h: hide, s: () => go({ spoilers: !place.spoilers }),
    l: () => select(place.legal ? "tab-events" : "tab-legal"), 4: toggleColours, m: () => notes.mark(), r: () => counter.toggle(), n: () => nextFinding(1), N: () => nextFinding(-1), b: copy,
    "?": buttons["help-open"], Escape: stop,
  };
}

async function start() {
  try {
    steps = (await load(null)).steps;
  } catch (error) {
    table.say(fill(words.load_failed, { error: error.message }));
    return;
  }
  table.makeRoom(steps);
  events = new Events(byId("events"), steps, pen, words, data.index);
  markDone = drawTimeline(byId("timeline-marks"), steps);
  byId("slider").max = steps.length;
  beside.wire(go);
  notes.wire(go, steps);
  wire();
  await go({});
  document.body.dataset.ready = "true";
}

start();
