// Text of documents and answers as elements. It is only ever set as text: nothing in it can become markup.

export function made(tag, className, text = "") {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.textContent = text;
  return element;
}

const ROW = /^\s*\|.*\|\s*$/;
const RULE = /^[\s|:-]+$/;

// Returns nodes: runs of text through `inline`, and tables written with pipes as tables.
export function rendered(text, inline = (run) => [run]) {
  const nodes = [];
  let lines = [];
  let rows = [];
  const flush = () => {
    if (lines.length) nodes.push(...inline(lines.join("\n")));
    lines = [];
  };
  const flushTable = () => {
    if (rows.length > 1) {
      flush();
      nodes.push(table(rows, inline));
    } else lines.push(...rows);
    rows = [];
  };
  for (const line of text.split("\n")) {
    if (ROW.test(line)) rows.push(line);
    else {
      const followed = rows.length > 1;
      flushTable();
      if (!followed || line.trim()) lines.push(line);
    }
  }
  flushTable();
  flush();
  return nodes;
}

function table(rows, inline) {
  const head = rows.length > 1 && RULE.test(rows[1]);
  const body = head ? [rows[0], ...rows.slice(2)] : rows;
  const element = made("table", "");
  body.forEach((row, index) => {
    const line = made("tr", "");
    for (const cell of row.trim().slice(1, -1).split("|")) {
      const made_ = made(head && index === 0 ? "th" : "td", "");
      made_.append(...inline(cell.trim()));
      line.append(made_);
    }
    element.append(line);
  });
  const scroller = made("div", "table");
  scroller.append(element);
  return scroller;
}
