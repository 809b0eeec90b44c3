// Charts: plotly is loaded when the first one is wanted, so that nothing waits for it.

let loading = null;

function plotly(source) {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = source;
    script.onload = () => resolve(window.Plotly);
    script.onerror = () => reject(new Error(source));
    document.head.append(script);
  });
  return loading;
}

function ink() {
  const style = getComputedStyle(document.documentElement);
  return { ink: style.getPropertyValue("--ink").trim(), line: style.getPropertyValue("--line").trim() };
}

const drawn = new Set();

/** What is drawn takes the colours of the page, when these are others now. */
function recolour() {
  const { ink: colour, line } = ink();
  for (const element of drawn) {
    if (!element.isConnected || !element.layout) {
      drawn.delete(element);
      continue;
    }
    const change = { "font.color": colour };
    for (const name of Object.keys(element.layout).filter((key) => /^[xy]axis\d*$/.test(key))) {
      change[`${name}.color`] = colour;
      change[`${name}.gridcolor`] = line;
      change[`${name}.zerolinecolor`] = line;
    }
    window.Plotly.relayout(element, change);
  }
}
new MutationObserver(recolour).observe(document.documentElement, { attributeFilter: ["data-theme"] });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);

/** Days in digits: plotly has months in English alone. */
const DAYS = {
  hoverformat: "%Y-%m-%d %H:%M",
  tickformatstops: [
    { dtickrange: [null, 86399999], value: "%m-%d %H:%M" },
    { dtickrange: [86400000, null], value: "%Y-%m-%d" },
  ],
};

/** Whether plotly takes an axis for one of days: it is said so, or its first value looks like one. */
function isDated({ data, layout }, name) {
  const { type } = layout[name] ?? {};
  if (type && type !== "-") return type === "date";
  const [letter, axis] = [name[0], name.replace("axis", "")];
  return data.some((trace) => (trace[`${letter}axis`] ?? letter) === axis && /^\d{4}-\d\d/.test(trace[letter]?.[0]));
}

/** Every axis of a figure, in the colours of the page. */
function axes(figure, axis) {
  const { layout } = figure;
  const names = Object.keys(layout).filter((name) => /^[xy]axis\d*$/.test(name));
  const days = (name) => (isDated(figure, name) ? DAYS : {});
  return Object.fromEntries([...names, "xaxis", "yaxis"].map((name) => [name, { ...axis, ...days(name), ...layout[name] }]));
}

/** Move the line of a drawn figure that marks a place on its x axis: the last of its shapes. */
export function markAt(element, x) {
  const last = element.layout.shapes.length - 1;
  window.Plotly.relayout(element, { [`shapes[${last}].x0`]: x, [`shapes[${last}].x1`]: x });
}

/** Draw a figure into an element; resolves to the element, which then has plotly's events. */
export async function chart(element, figure, source) {
  const Plotly = await plotly(source);
  const { ink: colour, line } = ink();
  const axis = { color: colour, gridcolor: line, zerolinecolor: line, fixedrange: true };
  const layout = {
    ...figure.layout,
    font: { ...figure.layout.font, color: colour },
    ...axes(figure, axis),
    hoverlabel: { font: { family: figure.layout.font.family } },
  };
  await Plotly.newPlot(element, figure.data, layout, { displayModeBar: false, responsive: true });
  drawn.add(element);
  return element;
}

/** What an address answers as JSON; an error that has a sentence carries it as `said`. */
export async function figures(address) {
  const answer = await fetch(address);
  const found = await answer.json();
  if (!answer.ok) throw Object.assign(new Error(address), { said: found.error });
  return found;
}
