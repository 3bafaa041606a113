// The side panel: a passage on its page. Text of documents is only ever set as text.

import { Refusal, get } from "/static/service.js";
import { made, rendered } from "/static/text.js";
import { t } from "/static/words.js";

const $ = (id) => document.getElementById(id);
let opener = null;
let shown = null;
let turn = 0;

export function close() {
  if ($("panel").hidden) return;
  turn += 1;
  $("panel").hidden = true;
  document.body.classList.remove("with-panel");
  opener?.focus();
}

export async function open(context, from) {
  opener = from;
  $("panel").hidden = false;
  document.body.classList.add("with-panel");
  $("panel-title").textContent = context.source;
  await show(context.document_id, context.page ?? 1, context.chunk_id);
  $("panel-title").focus({ preventScroll: true });
}

export function retranslate() {
  if (shown && !$("panel").hidden) place();
}

async function show(documentId, page, chunkId) {
  const mine = ++turn;
  shown = null;
  $("panel-place").textContent = t("loading");
  $("panel-text").replaceChildren();
  $("pages").hidden = true;
  let told;
  try {
    told = await get(`/documents/${documentId}/pages/${page}`);
  } catch (error) {
    if (mine === turn) $("panel-place").textContent = error instanceof Refusal ? error.message : t("failed");
    return;
  }
  if (mine !== turn) return;
  shown = { ...told, chunkId };
  $("panel-title").textContent = told.document.title;
  $("panel-text").replaceChildren(...passages(told.passages, chunkId));
  place();
  $("panel-text").scrollTop = 0;
  $("panel-text").querySelector(".cited")?.scrollIntoView({ block: "center" });
}

function place() {
  const { document: record, page, label, passages: all } = shown;
  const where = record.pages ? t("pageOf", { page, pages: record.pages }) : t("wholeDocument");
  const printed = label && label !== String(page) ? t("label", { label }) : "";
  $("panel-place").textContent = `${record.source} — ${where}${printed}`;
  if (!all.length) $("panel-text").textContent = t("blankPage");
  for (const mark of $("panel-text").querySelectorAll(".cited-label")) mark.textContent = t("cited");
  $("pages").hidden = !record.pages || record.pages < 2;
  $("page-before").disabled = page <= 1;
  $("page-after").disabled = page >= (record.pages ?? 1);
  $("page-now").textContent = record.pages ? `${page} / ${record.pages}` : "";
}

function passages(all, chunkId) {
  const elements = [];
  let above = "";
  for (const passage of all) {
    const headings = passage.title_path.slice(1).join(" › ");
    if (headings && headings !== above) elements.push(made("h3", "headings", headings));
    above = headings;
    const element = made("div", "passage");
    if (passage.id === chunkId) {
      element.classList.add("cited");
      element.append(made("span", "cited-label", t("cited")));
    }
    const text = made("div", "");
    text.append(...rendered(passage.text));
    element.append(text);
    elements.push(element);
  }
  return elements;
}

$("panel-close").addEventListener("click", close);
$("page-before").addEventListener("click", () => shown && show(shown.document.id, shown.page - 1, shown.chunkId));
$("page-after").addEventListener("click", () => shown && show(shown.document.id, shown.page + 1, shown.chunkId));
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !document.querySelector("dialog[open]")) close();
});
