// Buttons and keys. A key does what its button does; holding either goes fast.

const HOLD_AFTER = 350;
const HOLD_EVERY = 80;

/** Call `act` on press, and again and again while the button is held. */
export function holdable(button, act) {
  let timer = null;
  const stop = () => {
    clearTimeout(timer);
    timer = null;
  };
  const again = () => {
    act();
    timer = setTimeout(again, HOLD_EVERY);
  };
  let held = false;
  button.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    held = false;
    timer = setTimeout(() => {
      held = true;
      again();
    }, HOLD_AFTER);
  });
  for (const end of ["pointerup", "pointerleave", "pointercancel"]) button.addEventListener(end, stop);
  button.addEventListener("contextmenu", (event) => event.preventDefault());
  button.addEventListener("click", () => {
    if (!held) act();
    held = false;
  });
}

function typing(target) {
  if (!(target instanceof Element)) return false;
  if (target.matches("input[type=range]")) return false;
  return target.matches("input, textarea, select, [contenteditable]");
}

/** The key that is meant: a letter whatever Caps Lock does, and under an input method, which keeps the
    letters for itself, the one that stands on the key. */
function meant(event) {
  if (event.key === "Process") return /^Key[A-Z]$/.test(event.code) ? event.code.slice(3).toLowerCase() : "";
  return /^[A-Z]$/.test(event.key) && !event.shiftKey ? event.key.toLowerCase() : event.key;
}

/** Keys of the page. `acts` maps a key to what it does; a key held down repeats no faster than
    holding a button does. An open dialog has the keys for itself. */
export function listen(acts) {
  let last = 0;
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (typing(event.target) || document.querySelector("dialog[open]")) return;
    const act = acts[meant(event)];
    if (!act || pressing(event)) return;
    event.preventDefault();
    if (event.repeat && event.timeStamp - last < HOLD_EVERY) return;
    last = event.timeStamp;
    act();
  });
}

let clicked = null; // what the mouse or a finger has pressed: it has the focus, and nobody chose it by keys

addEventListener("pointerdown", ({ target }) => (clicked = target.closest?.("button, a, summary") ?? null), true);
addEventListener("keydown", ({ key }) => key === "Tab" && (clicked = null), true);

/** Whether a key is for the element that has the focus because it was clicked: no, it is for the page. */
function isLeft(element) {
  if (element !== clicked) return false;
  element.blur();
  return true;
}

/** Space on a focused button or link presses it; arrows on tabs move between tabs; where something can
    be scrolled or slid by whole pages, the keys for that do so. */
function pressing(event) {
  const on = event.target instanceof Element ? event.target : document.body;
  if (isLeft(on)) return false;
  if (event.key === " ") return on.matches("button, a, summary");
  if (event.key.startsWith("Page")) return scrolls() || on.matches(".panel, input");
  return on.matches("[role=tab]") && event.key.startsWith("Arrow");
}

/** Whether the page scrolls as a whole, as it does on a phone. */
function scrolls() {
  const page = document.documentElement;
  return page.scrollHeight > page.clientHeight && getComputedStyle(document.body).overflowY !== "hidden";
}

const NOTCH = 40; // px that a wheel turns for one step
const WHEEL_EVERY = 40; // ms between steps, however fast it turns

/** The wheel over an element steps, but where the page scrolls, as on a phone, it scrolls. */
export function wheel(element, move) {
  let turned = 0;
  let last = 0;
  element.addEventListener("wheel", (event) => {
    if (event.ctrlKey || scrolls()) return;
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : NOTCH;
    turned += event.deltaY * lines;
    if (Math.abs(turned) < NOTCH || event.timeStamp - last < WHEEL_EVERY) return;
    last = event.timeStamp;
    move(Math.sign(turned));
    turned = 0;
  }, { passive: false });
}

/** Do one thing while a media query holds, and another when it does not. */
export function stands(query, there, here) {
  const media = matchMedia(query);
  const put = () => (media.matches ? there() : here());
  media.addEventListener("change", put);
  put();
}

/** Tabs: one panel at a time, arrows move between them. Returns what selects one by its id. */
export function tabs(list, shown) {
  const all = Array.from(list.querySelectorAll("[role=tab]"));
  const show = (tab) => {
    for (const other of all) {
      const on = other === tab;
      other.setAttribute("aria-selected", String(on));
      other.tabIndex = on ? 0 : -1;
      document.getElementById(other.getAttribute("aria-controls")).hidden = !on;
    }
    shown(tab.id);
  };
  for (const tab of all) {
    tab.addEventListener("click", () => show(tab));
    tab.addEventListener("keydown", (event) => {
      const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!way || tab === clicked) return;
      event.preventDefault();
      const there = all.filter((other) => !other.hidden);
      const next = there[(there.indexOf(tab) + way + there.length) % there.length];
      next.focus();
      show(next);
    });
  }
  return (id) => show(all.find((tab) => tab.id === id));
}
