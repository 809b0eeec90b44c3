// What a reader prefers and keeps in this browser alone: light or dark, two or four suit colours,
// letters beside the suit signs.

const root = document.documentElement;

function kept(name) {
  try {
    return localStorage.getItem(`paipu.${name}`);
  } catch {
    return null; // storage switched off: the choice lasts as long as the page
  }
}

function keep(name, value) {
  try {
    localStorage.setItem(`paipu.${name}`, value);
  } catch {
    // as above
  }
}

function show(name, value) {
  if (value) root.dataset[name] = value;
  else delete root.dataset[name];
}

show("theme", kept("theme"));
show("colours", kept("colours"));
show("letters", kept("letters"));

function toggle(name, value) {
  const wanted = root.dataset[name] === value ? "" : value;
  show(name, wanted);
  keep(name, wanted);
  return wanted !== "";
}

/** Two or four suit colours; whether they are four now. */
export function toggleColours() {
  return toggle("colours", "4");
}

/** Letters beside the suit signs, for whoever confuses these; whether they are shown now. */
export function toggleLetters() {
  return toggle("letters", "on");
}

function toggleTheme() {
  const dark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  const theme = dark ? "light" : "dark";
  show("theme", theme);
  keep("theme", theme);
}

document.getElementById("theme")?.addEventListener("click", toggleTheme);
// The place in a hand stands in the fragment: the page in the other language opens there too.
document.getElementById("language")?.addEventListener("click", (event) => {
  event.currentTarget.hash = location.hash;
});

// The menus close with a touch elsewhere, with Esc, and when the focus leaves them.
for (const menu of document.querySelectorAll(".menu, .drop")) {
  document.addEventListener("click", (event) => {
    if (menu.open && !menu.contains(event.target)) menu.open = false;
  });
  menu.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !menu.contains(event.relatedTarget)) menu.open = false;
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
}
