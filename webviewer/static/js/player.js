// Plays a hand by itself, at one speed: each step stands as long as the next, claims a little shorter.

import { SPEEDS } from "./place.js";

const BEAT = 900; // ms between facts at speed 1; claims follow faster
const CLAIM_SHARE = 0.45;

export class Player {
  /** `next` is the step that would come, or null; `forward` goes there; `shown` says whether it plays. */
  constructor({ next, forward, speed, shown }) {
    Object.assign(this, { next, forward, speed, shown });
    this.timer = null;
  }

  get isOn() {
    return this.timer !== null;
  }

  stop() {
    if (!this.isOn) return;
    clearTimeout(this.timer);
    this.timer = null;
    this.shown(false);
  }

  start() {
    this.shown(true);
    this.due = performance.now();
    this.wait();
  }

  /** What drawing takes is not added to the beat. */
  wait() {
    const step = this.next();
    if (!step) {
      this.timer ??= 0;
      this.stop();
      return;
    }
    const now = performance.now();
    this.due = Math.max(now, this.due + (BEAT / this.speed()) * (step.a === "claim" ? CLAIM_SHARE : 1));
    this.timer = setTimeout(() => {
      this.forward();
      if (this.isOn) this.wait();
    }, this.due - now);
  }
}

/** The speed some places further along; at an end it stays. */
export function faster(speed, change) {
  const at = SPEEDS.indexOf(speed) + change;
  return SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at))];
}

/** The speed that a click on the button gives: after the fastest the slowest. */
export function nextSpeed(speed) {
  return SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length];
}
