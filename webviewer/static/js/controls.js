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

/** Keys of the page. `acts` maps a key to what it does; a key held down repeats no faster than
    holding a button does. */
export function listen(acts, dialog) {
  let last = 0;
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (typing(event.target) || dialog.open) return;
    const act = acts[event.key];
    if (!act || pressing(event)) return;
    event.preventDefault();
    if (event.repeat && event.timeStamp - last < HOLD_EVERY) return;
    last = event.timeStamp;
    act();
  });
}

/** Space on a focused button or link presses it; arrows on tabs move between tabs. */
function pressing(event) {
  const on = event.target instanceof Element ? event.target : document.body;
  if (event.key === " ") return on.matches("button, a, summary");
  return on.matches("[role=tab]") && event.key.startsWith("Arrow");
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
      if (!way) return;
      event.preventDefault();
      const next = all[(all.indexOf(tab) + way + all.length) % all.length];
      next.focus();
      show(next);
    });
  }
  return (id) => show(all.find((tab) => tab.id === id));
}
