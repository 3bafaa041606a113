// Talks to the service: requests with the key, and answers that arrive as server-sent events.

import { language, t } from "/static/words.js";

const KEY = "knowledge-search-key";
let unkept = null;

export function key() {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return unkept;
  }
}

export function keepKey(text) {
  unkept = text;
  try {
    if (text) sessionStorage.setItem(KEY, text);
    else sessionStorage.removeItem(KEY);
  } catch {
    // the key then lasts as long as the page
  }
}

export class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function send(path, options = {}, accept = "application/json") {
  const headers = { Accept: accept, "Accept-Language": language(), ...options.headers };
  if (key()) headers.Authorization = `Bearer ${key()}`;
  let response;
  try {
    response = await fetch(path, { ...options, headers, credentials: "omit", redirect: "error" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal(0, t("failed"));
  }
  if (!response.ok) throw new Refusal(response.status, await sentence(response));
  return response;
}

async function sentence(response) {
  try {
    const told = await response.json();
    const problems = (told.problems ?? []).map((one) => one.what).join(" ");
    return [told.message, problems].filter(Boolean).join(" ");
  } catch {
    return t("failed");
  }
}

export async function get(path) {
  return (await send(path)).json();
}

// Calls `on(name, data)` for each event of an answer.
export async function ask(question, signal, on) {
  const body = JSON.stringify({ question });
  const options = { method: "POST", body, signal, headers: { "Content-Type": "application/json" } };
  const response = await send("/ask", options, "text/event-stream");
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let ended = false;
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    rest += value;
    const events = rest.split("\n\n");
    rest = events.pop();
    for (const event of events) {
      const [name, data] = parsed(event);
      if (!name) continue;
      if (name === "error") throw new Refusal(502, data.message);
      ended ||= name === "answer";
      on(name, data);
    }
  }
  if (!ended) throw new Refusal(0, t("failed"));
}

function parsed(event) {
  let name = null;
  let data = "";
  for (const line of event.split("\n")) {
    if (line.startsWith("event: ")) name = line.slice(7);
    else if (line.startsWith("data: ")) data += line.slice(6);
  }
  return [name, name ? JSON.parse(data) : null];
}
