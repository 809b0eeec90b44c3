// A log dropped on any page, pasted there, or chosen in the form: sent, verified, and shown.

const box = document.getElementById("drop-box");
const over = document.getElementById("drop-over");
const said = box.dataset;
const title = box.querySelector("h2");
const bar = box.querySelector("progress");
const status = box.querySelector(".drop-said");
const fault = box.querySelector(".drop-fault");
let sending = null;

const carriesFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");

// A drag that leaves the window tells it by a dragleave to nowhere, or not at all: each dragover
// puts off the end.
let ending = 0;
function offer() {
  over.hidden = false;
  clearTimeout(ending);
  ending = setTimeout(withdraw, 1500);
}
function withdraw() {
  over.hidden = true;
  clearTimeout(ending);
}

for (const name of ["dragenter", "dragover"]) {
  document.addEventListener(name, (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
    offer();
  });
}
document.addEventListener("dragleave", (event) => {
  if (event.relatedTarget === null) withdraw();
});
document.addEventListener("drop", (event) => {
  if (!carriesFiles(event)) return;
  event.preventDefault();
  withdraw();
  takeOne([...event.dataTransfer.files]);
});

document.addEventListener("paste", (event) => {
  if (event.target.closest?.("input, textarea, [contenteditable]")) return;
  const files = [...(event.clipboardData?.files ?? [])];
  if (files.length) {
    event.preventDefault();
    takeOne(files);
    return;
  }
  const text = event.clipboardData?.getData("text") ?? "";
  if (!text.trimStart().startsWith("{")) return; // no log in text form
  event.preventDefault();
  take(new File([text], said.pasted));
});

for (const form of document.querySelectorAll(".drop-form")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const field = form.elements.log;
    take(field ? field.files[0] : new File([form.elements.text.value], said.pasted));
  });
}

function takeOne(files) {
  if (files.length === 1) take(files[0]);
  else if (files.length) refuse("", said.several);
}

function show(name, heading) {
  title.textContent = heading;
  box.querySelector(".drop-name bdi").textContent = name;
  status.textContent = "";
  fault.textContent = "";
  bar.hidden = false;
  bar.removeAttribute("value");
  if (!box.open) box.showModal();
}

function refuse(name, sentence) {
  show(name, said.bad);
  bar.hidden = true;
  fault.textContent = sentence;
}

function take(file) {
  if (file.size > Number(said.most)) {
    refuse(file.name, said.large);
    return;
  }
  show(file.name, said.sending);
  sending?.abort();
  const request = (sending = new XMLHttpRequest());
  request.open("POST", said.take);
  request.setRequestHeader("Accept", "application/json");
  request.upload.addEventListener("progress", (event) => {
    if (event.lengthComputable) bar.value = event.loaded / event.total;
  });
  request.upload.addEventListener("load", () => {
    title.textContent = said.verifying;
    bar.removeAttribute("value");
  });
  request.addEventListener("error", () => refuse(file.name, said.lost));
  request.addEventListener("load", () => {
    follow(told(request.responseText), status, (sentence) => refuse(file.name, sentence));
  });
  const form = new FormData();
  form.append("log", file, file.name);
  request.send(form);
}

function told(text) {
  try {
    return JSON.parse(text);
  } catch {
    return { error: said.lost };
  }
}

// Ask how far verifying is until there is a report to go to, or a reason why there is none.
async function follow(answer, place, failed) {
  while (answer.state) {
    place.textContent = answer.said;
    try {
      const next = await fetch(answer.state, { headers: { Accept: "application/json" } });
      answer = await next.json();
    } catch {
      answer = { error: said.lost };
    }
  }
  if (answer.to) location.assign(answer.to);
  else failed(answer.error ?? said.lost);
}

box.querySelector("button").addEventListener("click", () => box.close());
box.addEventListener("close", () => {
  sending?.abort();
  sending = null;
});
// A page that comes back out of the browser's memory is busy with nothing.
addEventListener("pagehide", () => box.close());

const opening = document.querySelector("main[data-state]");
if (opening) {
  const lines = [document.getElementById("drop-said"), document.getElementById("drop-fault")];
  follow({ state: opening.dataset.state, said: lines[0].textContent }, lines[0], (sentence) => {
    lines[1].textContent = sentence;
    opening.querySelector("progress").hidden = true;
  });
}
