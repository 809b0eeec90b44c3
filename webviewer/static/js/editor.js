// The editor: line numbers, indenting, running with Ctrl+Enter, words put in at a touch.

const INDENT = "  ";

/** Put text in where the caret is, so that undo takes it out again. */
function insert(area, text) {
  area.focus();
  // the one way that keeps the browser's own undo
  if (!document.execCommand("insertText", false, text)) area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
  area.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Where a line and column (from 1) are in a text. */
export function offset(text, line, column) {
  const lines = text.split("\n");
  const before = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  // columns count characters, of which some take two places in a string here
  return before + Array.from(lines[line - 1] ?? "").slice(0, column - 1).join("").length;
}

/** Number the lines; one that wraps is as high as its text, which a mirror of it measures. */
function number(area, gutter, mirror, marked) {
  const style = getComputedStyle(area);
  mirror.style.width = `${area.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)}px`;
  mirror.replaceChildren(
    ...area.value.split("\n").map((text) => {
      const line = document.createElement("div");
      line.textContent = text;
      return line;
    }),
  );
  const heights = Array.from(mirror.children, (line) => line.getBoundingClientRect().height);
  gutter.replaceChildren(
    ...heights.map((height, at) => {
      const line = document.createElement("span");
      line.textContent = String(at + 1);
      line.style.height = `${height}px`;
      if (at + 1 === marked) line.className = "marked";
      return line;
    }),
  );
  gutter.scrollTop = area.scrollTop;
}

/** The height follows the text, where the style sheet alone cannot do that. */
function grow(area) {
  if (CSS.supports("field-sizing", "content")) return;
  area.style.height = "auto";
  area.style.height = `${area.scrollHeight}px`;
}

/** Tab indents only while one writes: whoever passes through with the keyboard is not held. */
function indenting(area) {
  let writes = false;
  area.addEventListener("input", () => {
    writes = true;
  });
  area.addEventListener("blur", () => {
    writes = false;
  });
  area.addEventListener("keydown", (event) => {
    if (event.key === "Escape") writes = false;
    if (event.key !== "Tab" || event.shiftKey || event.ctrlKey || event.altKey || !writes) return;
    event.preventDefault();
    insert(area, INDENT);
  });
}

/** Make the text area an editor; `place` is the line and column of an error, or null. */
export function editor(area, gutter, form, place) {
  let marked = place?.line ?? null;
  const draw = () => number(area, gutter, document.getElementById("mirror"), marked);
  grow(area);
  draw();
  area.addEventListener("input", () => {
    marked = null;
    grow(area);
    draw();
  });
  let width = area.clientWidth;
  new ResizeObserver(() => {
    if (area.clientWidth !== width) draw();
    width = area.clientWidth;
  }).observe(area);
  area.addEventListener("scroll", () => {
    gutter.scrollTop = area.scrollTop;
  });
  indenting(area);
  area.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    form.requestSubmit();
  });
  for (const button of document.querySelectorAll("[data-insert]")) {
    button.addEventListener("click", () => insert(area, button.dataset.insert));
  }
  return (line, column) => {
    const start = offset(area.value, line, column);
    const word = /^\w*/.exec(area.value.slice(start))[0];
    area.focus();
    area.setSelectionRange(start, start + Math.max(1, word.length));
  };
}
