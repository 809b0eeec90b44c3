// The search over the rule books: as one types, what the server finds takes the place of what stood there.

const form = document.querySelector(".rule-search");
const field = document.getElementById("rule-query");
const parts = ["rule-count", "rule-results"];
const PAUSE = 150;
let waiting = 0;
let asking = null;

function address() {
  const asked = new URL(location.href);
  asked.hash = "";
  if (field.value.trim()) asked.searchParams.set("q", field.value.trim());
  else asked.searchParams.delete("q");
  return asked;
}

async function find() {
  asking?.abort();
  asking = new AbortController();
  const asked = address();
  try {
    const answer = await fetch(asked, { signal: asking.signal });
    if (!answer.ok) throw new Error(String(answer.status));
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const found = parts.map((id) => page.getElementById(id));
    history.replaceState(null, "", asked);
    parts.forEach((id, at) => document.getElementById(id).replaceChildren(...found[at].childNodes));
  } catch (error) {
    if (error.name !== "AbortError") form.submit(); // the page itself then says what is wrong
  }
}

field.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(find, PAUSE);
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  clearTimeout(waiting);
  find();
});
