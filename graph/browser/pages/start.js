// At /start: trades the one-time token for the connection, puts it where Neo4j Browser looks for it, and goes there.
// At /follow: where a report's link leads. Goes on to Neo4j Browser where it is connected to the store that the link is of.
"use strict";

const PREFIX = "neo4j.";
const STORE = "harmgraph.store"; // which store the connection is to
const LOG_IN = 'Open the address that "harmgraph db open" printed, which logs in, then this link again.';
const read = (key, otherwise) => {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + key)) || otherwise;
  } catch {
    return otherwise; // not JSON: of no use to Neo4j Browser either
  }
};
const write = (key, value) => localStorage.setItem(PREFIX + key, JSON.stringify(value));
const ours = (item) => String(item.id).startsWith("harmgraph-");
const others = (key) => [].concat(read(key, [])).filter((item) => item && !ours(item));

function prepare(state) {
  write("connections", state.connections);
  localStorage.setItem(STORE, state.store);
  const guide = new URL(state.guide, location.origin);
  write("settings", { ...read("settings", {}), ...state.settings, initCmd: `:guide ${guide}` });
  write("grass", { ...read("grass", {}), ...state.grass });
  // What the user saved stays; what we brought earlier is replaced.
  write("folders", [...others("folders"), ...state.folders]);
  write("documents", [...others("documents"), ...state.documents]);
}

function say(text) {
  document.getElementById("said").textContent = text;
}

function offerBrowser() {
  const said = document.getElementById("said");
  said.append(" ");
  const link = document.createElement("a");
  link.href = "browser/";
  link.textContent = "Go to Neo4j Browser as it was opened before.";
  said.append(link);
}

async function open() {
  const token = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  const answer = await fetch("session", { method: "POST", headers: { "X-Harmgraph-Token": token } });
  if (!answer.ok) {
    say(await answer.text());
    offerBrowser();
    return;
  }
  const state = await answer.json();
  prepare(state);
  location.replace(state.landing);
}

async function follow() {
  const answer = await fetch("statement" + location.search);
  if (!answer.ok) {
    say(await answer.text());
    return;
  }
  const { store, host, landing } = await answer.json();
  const connection = read("connections", {}).connectionsById?.["$$discovery"];
  if (localStorage.getItem(STORE) !== store || connection?.host !== host) {
    say("This web browser is not connected to this graph. " + LOG_IN);
    return;
  }
  location.replace(landing);
}

const begin = location.pathname === "/follow" ? follow : open;
begin().catch((error) => say(`The page server does not answer (${error.message}). Run "harmgraph db open" again.`));
