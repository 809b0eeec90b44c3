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

/** Draw a figure into an element; resolves to the element, which then has plotly's events. */
export async function chart(element, figure, source) {
  const Plotly = await plotly(source);
  const { ink: colour, line } = ink();
  const axis = { color: colour, gridcolor: line, zerolinecolor: line, fixedrange: true };
  const layout = {
    ...figure.layout,
    font: { ...figure.layout.font, color: colour },
    xaxis: { ...axis, ...figure.layout.xaxis },
    yaxis: { ...axis, ...figure.layout.yaxis },
    hoverlabel: { font: { family: figure.layout.font.family } },
  };
  await Plotly.newPlot(element, figure.data, layout, { displayModeBar: false, responsive: true });
  return element;
}

export async function figures(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer.json();
}
