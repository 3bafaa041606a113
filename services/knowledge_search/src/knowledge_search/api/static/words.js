// Every sentence of the page, in both languages.

export const WORDS = {
  ja: {
    title: "社内文書に聞く",
    skip: "質問欄へ移動",
    language: "表示言語",
    question: "質問",
    placeholder: "例：午前半休は何時までですか？",
    hint: "Enter で送信、Shift + Enter で改行。答えは、あなたが見られる文書だけから作ります。",
    ask: "質問する",
    stop: "停止",
    empty: "質問すると、根拠になった文書と一緒に答えが表示されます。番号を押すと、その箇所を読めます。",
    searching: "文書を探しています",
    writing: "回答を書いています",
    stopped: "停止しました。",
    sources: "根拠",
    noModel: "言語モデルが設定されていません。回答文の代わりに、見つかった文書の本文をそのまま表示します。",
    evaluation: "検索は試用向けの簡易方式（{embedder}）で動いています。見当違いの文書が選ばれることがあります。",
    away: "サービスに接続できません。しばらくしてから再読み込みしてください。",
    notReady: "データベースに接続できないため、今は質問に答えられません。しばらくしてから再読み込みしてください。",
    keyNeeded: "質問するには API キーが必要です。",
    keyEnter: "API キーを入力",
    keySet: "API キー：設定済み",
    keyTitle: "API キー",
    keyHelp: "管理者から受け取ったキーを入力してください。このタブを閉じるまでブラウザーに残り、ほかには保存しません。",
    keyLabel: "キー（ksr_… または ksw_…）",
    keySave: "使う",
    keyForget: "キーを消す",
    keyRefused: "このキーは使えません。入力を確かめるか、期限を管理者に確認してください。",
    cancel: "キャンセル",
    passage: "根拠の文書",
    close: "閉じる",
    pages: "ページ",
    before: "前のページ",
    after: "次のページ",
    pageOf: "{page} / {pages} ページ",
    label: "（印刷番号 {label}）",
    wholeDocument: "全文",
    cited: "引用箇所",
    loading: "読み込んでいます",
    blankPage: "このページには文字がありません。",
    failed: "通信に失敗しました。もう一度お試しください。",
    cite: "根拠 {number} を開く：{place}",
    place: "{source}、{page} ページ",
  },
  en: {
    title: "Ask our documents",
    skip: "Skip to the question",
    language: "Language",
    question: "Question",
    placeholder: "For example: When does a morning off end?",
    hint: "Enter sends, Shift + Enter breaks the line. Answers come only from documents you may see.",
    ask: "Ask",
    stop: "Stop",
    empty: "Ask, and the answer appears with the documents it rests on. Choose a number to read the passage.",
    searching: "Looking through the documents",
    writing: "Writing the answer",
    stopped: "Stopped.",
    sources: "Sources",
    noModel: "No language model is configured. Instead of an answer you see the passages that were found, word for word.",
    evaluation: "Search runs on an evaluation-grade embedder ({embedder}). It may pick passages beside the point.",
    away: "The service cannot be reached. Reload the page in a while.",
    notReady: "The database cannot be reached, so questions cannot be answered now. Reload the page in a while.",
    keyNeeded: "Asking takes an API key.",
    keyEnter: "Enter API key",
    keySet: "API key: set",
    keyTitle: "API key",
    keyHelp: "Enter the key that your administrator gave you. It stays in this tab until you close it, and nowhere else.",
    keyLabel: "Key (ksr_… or ksw_…)",
    keySave: "Use",
    keyForget: "Forget the key",
    keyRefused: "This key is not accepted. Check what you typed, or ask your administrator whether it has expired.",
    cancel: "Cancel",
    passage: "Source document",
    close: "Close",
    pages: "Pages",
    before: "Previous page",
    after: "Next page",
    pageOf: "Page {page} of {pages}",
    label: " (printed as {label})",
    wholeDocument: "Whole document",
    cited: "Cited passage",
    loading: "Loading",
    blankPage: "There is no text on this page.",
    failed: "The connection failed. Please try again.",
    cite: "Open source {number}: {place}",
    place: "{source}, page {page}",
  },
};

const KEPT = "knowledge-search-language";
let chosen = remembered() ?? (navigator.language.toLowerCase().startsWith("ja") ? "ja" : "en");

function remembered() {
  try {
    const kept = localStorage.getItem(KEPT);
    return kept in WORDS ? kept : null;
  } catch {
    return null;
  }
}

export function language() {
  return chosen;
}

export function choose(name) {
  chosen = name;
  try {
    localStorage.setItem(KEPT, name);
  } catch {
    // the choice then lasts as long as the page
  }
}

export function t(name, values = {}) {
  return WORDS[chosen][name].replace(/\{(\w+)\}/g, (_, key) => String(values[key]));
}

export function translate(root) {
  document.documentElement.lang = chosen;
  document.title = t("title");
  for (const element of root.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
  for (const element of root.querySelectorAll("[data-t-label]")) {
    element.setAttribute("aria-label", t(element.dataset.tLabel));
    if (element.tagName === "BUTTON") element.title = t(element.dataset.tLabel);
  }
  for (const element of root.querySelectorAll("[data-language]")) {
    element.setAttribute("aria-pressed", String(element.dataset.language === chosen));
  }
}
