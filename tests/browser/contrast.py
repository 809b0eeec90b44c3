"""Contrast that axe leaves open: text over gradients, such as the felt and the cards on it."""

from playwright.sync_api import Page

CONTRAST = r"""() => {
  const parse = (text) => {
    const made = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    made.fillStyle = text;
    made.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = made.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], under) => [r, g, b].map((v, at) => v * a + under[at] * (1 - a));
  const light = (rgb) => {
    const [r, g, b] = rgb.map((v) => v / 255)
      .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, two) => {
    const [dark, bright] = [light(one), light(two)].sort((a, b) => a - b);
    return (bright + 0.05) / (dark + 0.05);
  };
  const known = new Map();
  const layers = (el) => {
    const below = getComputedStyle(el, "::before");
    const isBelow = below.content !== "none" && below.zIndex === "-1";
    return [...painted(getComputedStyle(el)), ...(isBelow ? painted(below) : [])];
  };
  const painted = (style) => {
    const pictures = style.backgroundImage.split(/, (?=[a-z-]+-gradient\()/).reverse()
      .map((one) => (one.match(/rgba?\([^)]*\)|color\([^)]*\)/g) ?? []).map(parse));
    return [[parse(style.backgroundColor)], ...pictures].filter((layer) => layer.length);
  };
  const behind = (el) => {
    if (!el) return [[255, 255, 255]];
    if (known.has(el)) return known.get(el);
    let found = behind(el.parentElement);
    for (const layer of layers(el)) {
      const mixed = layer.flatMap((colour) => found.map((under) => over(colour, under)));
      found = layer.some(([, , , a]) => a > 0.2) || layer.length === 1 ? mixed : found;
    }
    const bright = found.toSorted((a, b) => light(a) - light(b));
    known.set(el, [bright[0], bright.at(-1)]);
    return known.get(el);
  };
  const faults = new Map();
  const IS_QUIET = "script, style, .hidden, .skip, svg, .card.gone, .card.back, .card u";
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const el = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || el.closest(IS_QUIET)) continue;
    if (!el.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const style = getComputedStyle(el);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && parseInt(style.fontWeight) >= 700);
    let faint = 1;
    for (let up = el; up; up = up.parentElement) faint *= parseFloat(getComputedStyle(up).opacity);
    const [r, g, b, a] = parse(style.color);
    for (const under of behind(el)) {
      const found = contrast(over([r, g, b, a * faint], under), under);
      if (found < (large ? 3 : 4.5)) {
        const name = `${el.tagName}.${el.getAttribute("class") ?? ""}`;
        faults.set(`${name} in ${el.parentElement.className}`, found.toFixed(2));
      }
    }
  }
  return Array.from(faults, ([name, found]) => `${name}: ${found}`);
}"""
"""JavaScript: text with less than WCAG's AA against the worst of what can lie behind it.

A layer of a gradient counts with each of its colours; grain that lets more than four fifths through
does not. Cards face down and those greyed out say nothing by their faces.
"""


def too_faint(page: Page) -> list[str]:
    """What on the page is read too hard, and its contrast."""
    found: list[str] = page.evaluate(CONTRAST)
    return found
