// Shows one sentence at a time and sends what a person says of it. All texts come from the graph and are set as text, never as HTML.
"use strict";

const TOKEN = "harmgraph.review.token";
const NAME = "harmgraph.review.name";
const WITHOUT_KEYS = "harmgraph.review.without-keys";
const KEYS = Object.fromEntries([...document.querySelectorAll("[data-label]")].map((button, place) => [place + 1, button.dataset.label]));
const at = (id) => document.getElementById(id);

let state = null; // the server's last answer
let busy = false; // a key pressed twice is one judgement

if (location.hash.length > 1) {
  sessionStorage.setItem(TOKEN, location.hash.slice(1));
  history.replaceState(null, "", location.pathname);
}

async function ask(path, more = {}) {
  if (busy) {
    return;
  }
  busy = true;
  try {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "X-Harmgraph-Token": sessionStorage.getItem(TOKEN) || "", "Content-Type": "application/json" },
      body: JSON.stringify({ annotator: sessionStorage.getItem(NAME), ...more }),
    });
    if (!answer.ok) {
      at("problem").textContent = await answer.text();
      return;
    }
    at("problem").textContent = "";
    state = await answer.json();
    show(path === "judge" && state.rest && state.item ? "rest" : state.item ? "judge" : "end");
  } catch (error) {
    at("problem").textContent = `The review does not answer (${error.message}). What you have judged is kept: run "harmgraph review" again.`;
  } finally {
    busy = false;
  }
}

function show(section) {
  for (const id of ["begin", "judge", "rest", "end"]) {
    at(id).hidden = id !== section;
  }
  at("shortcuts").hidden = section === "begin";
  if (section === "begin") {
    at("progress").textContent = "";
    at("previous").textContent = "";
    at("name").focus();
    return;
  }
  const { done, skipped, total, item, previous, told, waiting } = state;
  at("bar").max = total;
  at("bar").value = done;
  at("progress").textContent =
    `${sessionStorage.getItem(NAME)}: ${done} of ${total} judged` +
    (skipped ? `, ${skipped} skipped` : "") +
    (waiting ? `; ${waiting} in the file and not yet in the graph` : "");
  at("previous").textContent = past(previous, told);
  if (section === "judge") {
    at("sentence").textContent = item.sentence;
    if (at("frame")) {
      startFrame();
    }
    at("about").textContent =
      (item.targets.length ? `About ${item.targets.join(", ")}. ` : "") +
      `From ${item.source}.` +
      (item.prompt ? ` The prompt: “${item.prompt}”.` : "") +
      (item.again ? " You skipped it before; skipped again, it comes next time." : "");
    at("said").replaceChildren(...item.context.map(listed));
    at("context").hidden = !item.context.length;
    at("context").open = false;
    at("sentence").focus();
  } else if (section === "rest") {
    at("go-on").focus();
  } else {
    at("end-text").textContent =
      done === total ? `You have judged all ${total} sentences.` : `You have judged ${done} of ${total} sentences; ${skipped} skipped ones come again next time.`;
    at("next-person").focus();
  }
}

function listed(text) {
  const line = document.createElement("li");
  line.textContent = text;
  return line;
}

// What the scorer says is told of a judgement that stands: one that could be taken back would be made anew, and no longer blindly.
function past(previous, told) {
  const said = ({ sentence, label }) => `“${sentence}”: you said ${label}`;
  if (!told) {
    return previous ? `${said(previous)}.` : "";
  }
  const { label, score, by } = told.scorer;
  const scorer = `${said(told)}; ${by} says ${label || "nothing"}${score === null ? "" : ` (${score.toFixed(2)})`}.`;
  return previous && previous.id !== told.id ? `${said(previous)}. Before that, ${scorer}` : scorer;
}

const judge = (label) => ask("judge", { id: state.item.id, label });

// Of a frame, several questions about one sentence: those that an earlier answer makes pointless are hidden, and not sent.
const chosen = (name) => Number(at("frame").elements[name].value);
function askFrame() {
  const mayOffend = chosen("offensive") > 0;
  const ofGroup = mayOffend && chosen("group_targeted") > 0;
  for (const [id, asked] of [["part-group_targeted", mayOffend], ["part-groups", ofGroup], ["part-in_group", ofGroup]]) {
    at(id).hidden = !asked;
    at(id).disabled = !asked;
  }
}
function startFrame() {
  at("frame").reset();
  at("groups").replaceChildren(at("groups").firstElementChild);
  at("known").replaceChildren(...state.groups.map((name) => new Option(name, name)));
  askFrame();
}
function readFrame() {
  const answers = Object.fromEntries(["offensive", "intent", "lewd", "group_targeted", "in_group"].map((name) => [name, at("frame").elements[name].value]));
  const groups = [...document.querySelectorAll("#groups .group")].map((block) => [
    block.querySelector(".which").value,
    block.querySelector(".implied").value.split("\n").filter((line) => line.trim()),
  ]);
  return { ...answers, groups };
}
if (at("frame")) {
  at("frame").addEventListener("change", askFrame);
  at("frame").addEventListener("submit", (event) => {
    event.preventDefault();
    ask("judge", { id: state.item.id, frame: readFrame() });
  });
  at("another").addEventListener("click", () => {
    const block = at("groups").firstElementChild.cloneNode(true);
    for (const field of block.querySelectorAll("input, textarea")) {
      field.value = "";
    }
    at("groups").append(block);
    block.querySelector(".which").focus();
  });
}

const skip = () => ask("skip", { id: state.item.id });
const undo = () => ask("undo");

at("name-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const name = at("name").value.trim();
  if (name) {
    sessionStorage.setItem(NAME, name);
    ask("show");
  }
});
for (const button of document.querySelectorAll("[data-label]")) {
  button.addEventListener("click", () => judge(button.dataset.label));
}
at("skip").addEventListener("click", skip);
at("undo").addEventListener("click", undo);
at("undo-end").addEventListener("click", undo);
at("go-on").addEventListener("click", () => show("judge"));
at("next-person").addEventListener("click", () => {
  sessionStorage.removeItem(NAME);
  at("name").value = "";
  show("begin");
});
// Speech input and stray keys press single characters: whoever needs to turns them off, for this tab until it is closed.
at("keys").checked = !sessionStorage.getItem(WITHOUT_KEYS);
at("keys").addEventListener("change", () => {
  sessionStorage.setItem(WITHOUT_KEYS, at("keys").checked ? "" : "yes");
  hint();
});
function hint() {
  for (const key of document.querySelectorAll("kbd")) {
    key.hidden = !at("keys").checked;
  }
}
hint();
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || !at("keys").checked || event.target.matches('textarea, input:not([type="checkbox"], [type="radio"])')) {
    return;
  }
  if (at("judge").hidden) {
    if (event.key === "u" && !at("end").hidden) {
      undo();
    }
    return;
  }
  if (event.key in KEYS) {
    judge(KEYS[event.key]);
  } else if (event.key === "s") {
    skip();
  } else if (event.key === "u") {
    undo();
  } else {
    return;
  }
  event.preventDefault();
});

if (sessionStorage.getItem(NAME)) {
  ask("show"); // the page was reloaded
} else {
  show("begin");
}
