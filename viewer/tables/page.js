"use strict";
// Any table or view of the log, sorted, searched and by pages; or the answer to a statement. What is shown stands in the
// address, so that a link or a reload shows it again:
//   #table=samples&order=periods&down=1&search=Cart&page=2   or   #sql=select…
// With from and to (nanoseconds) and thread (its number), tables with times and threads show those rows alone.
// The server answers schema.json, [{name, help, view, rows, columns: [{name, help}]}], and query.json?sql=…, either
// {columns, rows}, a thousand rows at most, or {problem}.

const ROWS = 100;

const byId = (id) => document.getElementById(id);

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

let schema = [];
let asked = 0;  // an answer to an earlier question is not shown

const quotedName = (name) => `"${name.replaceAll('"', '""')}"`;
const quotedText = (text) => `'${text.replaceAll("'", "''")}'`;

// What is to be shown, as the address says it.
function shown() {
  const words = new URLSearchParams(location.hash.slice(1));
  return {
    sql: words.get("sql"),
    table: words.get("table") ?? schema[0]?.name,
    order: words.get("order"),
    down: words.get("down") === "1",
    search: words.get("search") ?? "",
    from: words.get("from"),
    to: words.get("to"),
    thread: words.get("thread"),
    page: Math.max(0, Number(words.get("page")) || 0),
  };
}

function addressOf(changes) {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries({...shown(), ...changes})) {
    if (value === null || value === "" || value === false || value === 0 || value === undefined) continue;
    words.set(name, value === true ? "1" : String(value));
  }
  return "#" + words;
}

function show(changes, replaces = false) {
  const address = addressOf(changes);
  if (replaces)
    history.replaceState(null, "", address);
  else
    history.pushState(null, "", address);
  load();
}

// What is selected of a table that has times or threads, as conditions and in words.
function selectionOf(table, {from, to, thread}) {
  const conditions = [], words = [];
  const time = table.columns.find(({help}) => help.startsWith("time,"));
  if (time && /^-?\d+$/.test(from ?? "") && /^-?\d+$/.test(to ?? "")) {
    conditions.push(`${quotedName(time.name)} between ${from} and ${to}`);
    words.push(`${time.name} from ${Number(from) / 1e9} s to ${Number(to) / 1e9} s`);
  }
  if (/^\d+$/.test(thread ?? "") && table.columns.some(({name}) => name === "thread_os_id")) {
    conditions.push(`thread_os_id = ${thread}`);
    words.push(`thread ${thread}`);
  }
  return {conditions, words};
}

// The statement for a table, without the part that picks a page.
function statementFor(table, now) {
  const {order, down, search} = now, {conditions} = selectionOf(table, now);
  const columns = table.columns.map(({name}) => quotedName(name));
  const like = quotedText(`%${search.replaceAll(/[\\%_]/g, "\\$&")}%`);
  if (search !== "") conditions.push(`(${columns.map((name) => `${name} like ${like} escape '\\'`).join(" or ")})`);
  const where = conditions.length === 0 ? "" : ` where ${conditions.join(" and ")}`;
  const known = table.columns.some(({name}) => name === order);
  return `select * from ${quotedName(table.name)}${where}${known ? ` order by ${quotedName(order)}${down ? " desc" : ""}` : ""}`;
}

async function answerTo(sql) {
  const response = await fetch("query.json?" + new URLSearchParams({sql}));
  return response.json();
}

function showProblem(text) {
  byId("problem").hidden = text === "";
  byId("problem").textContent = text;
}

const isNumber = (value) => typeof value === "number";

function showRows({columns, rows}, table, now) {
  byId("columns").replaceChildren(...columns.map((name) => {
    const title = table?.columns.find((column) => column.name === name)?.help ?? "";
    if (!table) return element("th", {scope: "col"}, name);
    const sorted = now.order !== name ? "none" : now.down ? "descending" : "ascending";
    return element("th", {scope: "col", "aria-sort": sorted},
                   element("button", {type: "button", "data-column": name, title}, name));
  }));
  byId("rows").replaceChildren(...rows.slice(0, ROWS).map((row) => element("tr", {}, ...row.map((value) => {
    if (value === null) return element("td", {class: "soft"}, "–");
    const text = String(value);
    return element("td", {class: isNumber(value) ? "figure" : "", title: text}, isNumber(value) ? value.toLocaleString("en") : text);
  }))));
  const first = now.page * ROWS + 1, more = rows.length > ROWS;
  byId("which").textContent = rows.length === 0 ? "no rows" : `rows ${first} to ${first + Math.min(ROWS, rows.length) - 1}`;
  byId("before").disabled = now.page === 0;
  byId("after").disabled = !more;
}

function showList() {
  const wanted = byId("find-table").value.toLowerCase();
  for (const [id, views] of [["views", true], ["tables", false]]) {
    byId(id).replaceChildren(...schema.filter(({view, name, help}) =>
        view === views && `${name} ${help}`.toLowerCase().includes(wanted)).map(({name, help, rows}) =>
        element("li", {}, element("a", {
          href: addressOf({table: name, sql: null, order: null, down: false, search: "", page: 0}), title: help, ...(rows === 0 ? {class: "soft"} : {}),
          ...(shown().sql === null && shown().table === name ? {"aria-current": "page"} : {})
        }, name, ...(rows > 0 ? [element("span", {class: "soft"}, rows.toLocaleString("en"))] : [])))));
  }
}

async function load() {
  const now = shown(), number = ++asked;
  const table = now.sql === null ? schema.find(({name}) => name === now.table) : null;
  showList();
  const sql = table ? statementFor(table, now) : now.sql ?? "";
  byId("sql").value = sql;
  if (document.activeElement !== byId("search")) byId("search").value = now.search;
  byId("name").textContent = table ? table.name : "Answer";
  byId("help").textContent = table ? table.help : "";
  byId("search").hidden = !table;
  const words = table ? selectionOf(table, now).words : [];
  byId("selection").hidden = words.length === 0;
  byId("selected").textContent = words.join(", ");
  if (!table && now.sql === null) return showProblem(`There is no table ${now.table}.`);
  document.body.setAttribute("aria-busy", "true");
  let answer;
  try {
    answer = await answerTo(`select * from (${sql.replace(/;\s*(--[^\n]*\s*)?$/, "")}\n) limit ${ROWS + 1} offset ${now.page * ROWS}`);
  } catch {
    answer = {problem: "oriel view has ended: start it again"};
  }
  if (number !== asked) return;
  document.body.removeAttribute("aria-busy");
  showProblem(answer.problem ?? "");
  showRows(answer.problem ? {columns: [], rows: []} : answer, table, now);
  byId("scroll").scrollTo(0, 0);
}

byId("columns").addEventListener("click", (event) => {
  const column = event.target.closest("button")?.dataset.column;
  if (column === undefined) return;
  const now = shown();
  // Figures are looked at from the largest down.
  show({order: column, down: now.order === column ? !now.down : true, page: 0});
});
byId("before").addEventListener("click", () => show({page: shown().page - 1}));
byId("after").addEventListener("click", () => show({page: shown().page + 1}));
byId("all-rows").addEventListener("click", () => show({from: null, to: null, thread: null, page: 0}));
byId("find-table").addEventListener("input", showList);
let typing = 0;
byId("search").addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(() => show({search: byId("search").value, page: 0}, true), 200);
});
byId("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  show({sql: byId("sql").value, table: null, order: null, down: false, search: "", page: 0});
});
byId("sql").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) byId("ask").requestSubmit();
});
document.addEventListener("keydown", (event) => {
  if (event.target.matches("input, textarea") || event.ctrlKey || event.metaKey || event.altKey || event.key !== "/") return;
  event.preventDefault();
  byId("search").select();
});
window.addEventListener("popstate", load);

fetch("schema.json").then((response) => response.json()).then((known) => {
  schema = known;
  load();
}).catch(() => showProblem("oriel view has ended: start it again"));
