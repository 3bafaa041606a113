// Asks, shows the answer while it is written, and opens what it rests on.

import { open as openPassage, retranslate } from "/static/panel.js";
import { Refusal, ask, get, keepKey, key } from "/static/service.js";
import { made, rendered } from "/static/text.js";
import { choose, t, translate } from "/static/words.js";

const $ = (id) => document.getElementById(id);
let health = null;
let away = null;
let running = null;
const narrow = matchMedia("(max-width: 63.99rem)");

function notices() {
  const told = [];
  if (away !== null) told.push([away === 503 ? "notReady" : "away", "bad"]);
  if (health && !health.model_configured) told.push(["noModel", "mild"]);
  if (health?.evaluation_grade) told.push(["evaluation", "mild"]);
  if (health && !health.anonymous && !key()) told.push(["keyNeeded", "mild"]);
  const lines = told.map(([name, kind]) => made("p", kind, t(name, { embedder: health?.embedder })));
  $("notices").replaceChildren(...lines);
  $("notices").hidden = !lines.length;
  $("key-open").textContent = t(key() ? "keySet" : "keyEnter");
}

function inLanguage() {
  translate(document);
  $("question").placeholder = t("placeholder");
  notices();
  retranslate();
}

async function look() {
  try {
    health = await get("/health");
    away = null;
    $("question").maxLength = health.max_question;
  } catch (error) {
    away = error instanceof Refusal ? error.status : 0;
  }
  notices();
}

function placeOf(context) {
  return context.page ? t("place", context) : context.source;
}

function opener(context, className, text) {
  const button = made("button", className, text);
  button.type = "button";
  button.setAttribute("aria-label", t("cite", { number: context.number, place: placeOf(context) }));
  button.addEventListener("click", () => openPassage(context, button));
  return button;
}

// Text with [n] as buttons, where n is a passage that the answer rests on; a button never begins a line.
function withCitations(text, contexts) {
  return rendered(text, (run) => {
    const parts = [];
    let at = 0;
    for (const found of run.matchAll(/ ?\[(\d{1,3})\]/g)) {
      const context = contexts.get(Number(found[1]));
      if (!context) continue;
      parts.push(`${run.slice(at, found.index)}\u2060`, opener(context, "cite", found[1]));
      at = found.index + found[0].length;
    }
    return [...parts, run.slice(at)];
  });
}

// On a phone the answer stands below the fold; it is brought up once, and never away from under a finger.
function bringUp(article) {
  if (narrow.matches && article.getBoundingClientRect().top > innerHeight / 3) article.scrollIntoView();
}

function newTurn(question) {
  const article = made("article", "turn");
  const status = made("p", "status", t("searching"));
  const answer = made("div", "answer");
  answer.setAttribute("aria-live", "polite");
  answer.setAttribute("aria-busy", "true");
  article.append(made("h2", "asked", question), status, answer);
  $("turns").prepend(article);
  $("empty").hidden = true;
  if (narrow.matches) $("question").blur(); // takes the phone's keyboard away
  return { article, status, answer };
}

// One line a document or page, with a button for each passage of it.
function sources(cited, contexts) {
  const places = new Map();
  for (const number of cited) {
    const context = contexts.get(number);
    if (!context) continue;
    const place = placeOf(context);
    places.set(place, [...(places.get(place) ?? []), context]);
  }
  if (!places.size) return "";
  const list = made("ul", "sources");
  for (const [place, [first, ...others]] of places) {
    const item = made("li", "");
    const button = opener(first, "source", "");
    button.append(made("span", "number", String(first.number)), made("span", "", place));
    item.append(button, ...others.map((one) => opener(one, "cite", String(one.number))));
    list.append(item);
  }
  const section = made("section", "rests-on");
  section.append(made("h3", "", t("sources")), list);
  return section;
}

function shower({ article, status, answer }) {
  const contexts = new Map();
  let text = "";
  return (name, data) => {
    if (name === "contexts") {
      for (const context of data.contexts) contexts.set(context.number, context);
      status.textContent = t("writing");
    } else if (name === "piece") {
      text += data.text;
      answer.replaceChildren(...withCitations(text, contexts));
    } else if (name === "answer") {
      contexts.clear();
      for (const context of data.contexts) contexts.set(context.number, context);
      answer.replaceChildren(...withCitations(data.text, contexts));
      answer.lang = /[\u3041-\u30ff]/.test(data.text) ? "ja" : "en"; // for voices, and for the shapes of characters
      article.classList.toggle("not-found", !data.found);
      article.append(sources(data.cited, contexts));
      bringUp(article);
    }
  };
}

async function onAsk() {
  const question = $("question").value.trim();
  if (!question || running) return;
  if (health && !health.anonymous && !key()) return askForKey();
  const turn = newTurn(question);
  running = new AbortController();
  $("stop").hidden = false;
  $("send").disabled = true;
  try {
    await ask(question, running.signal, shower(turn));
    turn.status.remove();
    $("question").value = "";
    grow();
  } catch (error) {
    ended(turn, error);
  } finally {
    turn.answer.setAttribute("aria-busy", "false");
    running = null;
    $("stop").hidden = true;
    $("send").disabled = false;
  }
}

function ended({ status }, error) {
  const aborted = error.name === "AbortError";
  status.className = aborted ? "status over" : "problem";
  status.textContent = aborted ? t("stopped") : error instanceof Refusal ? error.message : t("failed");
  if (!aborted) status.setAttribute("role", "alert");
  if (error instanceof Refusal && error.status === 401) askForKey(t("keyRefused"));
}

function askForKey(problem = "") {
  $("key-problem").textContent = problem;
  $("key-problem").hidden = !problem;
  $("key-forget").hidden = !key();
  $("key-text").value = "";
  if (!$("key").open) $("key").showModal();
  $("key-text").focus();
}

function keyDone(text) {
  keepKey(text);
  $("key-text").value = "";
  $("key").close();
  notices();
  $("question").focus();
}

function grow() {
  const area = $("question");
  area.style.height = "auto";
  area.style.height = `${Math.min(area.scrollHeight + 2, 320)}px`;
}

$("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  onAsk();
});
$("question").addEventListener("keydown", (event) => {
  // While Japanese is being converted, Enter chooses characters; 229 is what Safari says then.
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
  event.preventDefault();
  onAsk();
});
$("question").addEventListener("input", grow);
$("stop").addEventListener("click", () => running?.abort());
$("key-open").addEventListener("click", () => askForKey());
$("key-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = $("key-text").value.trim();
  if (text) keyDone(text);
});
$("key-forget").addEventListener("click", () => keyDone(null));
$("key-cancel").addEventListener("click", () => $("key").close());
for (const button of document.querySelectorAll("[data-language]")) {
  button.addEventListener("click", () => {
    choose(button.dataset.language);
    inLanguage();
  });
}
inLanguage();
look();
