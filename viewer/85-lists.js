// The lists below the graph, of what is selected: all methods with every figure that the log has of them, and all garbage
// collections. A click on a column sorts by it.

const LIST_ROWS = 100;  // at first, and more with each request
const lists = {all: [], chosen: null, most: LIST_ROWS, asked: 0};

// By frame, the sums of a weight in what is selected: its own, and with what it calls (recursion counts once). Of
// allocations, those of the method's own code.
function frameSums({tree: number, column}) {
  const tree = readTree(number), {entries} = tree;
  const counted = shown.range && entries.parts.length > 0 ? entries.parts.map(inRange) : entries.columns[column];
  const weights = new Float64Array(tree.size), totals = new Float64Array(tree.size);
  entries.place.forEach((node, i) => { if (node >= 0 && isSelected(entries, i)) weights[node] += counted[i]; });
  totals.set(weights);
  for (let i = tree.size - 1; i > 0; i--) totals[tree.parent[i]] += totals[i];
  const self = new Float64Array(data.frames.names.length), total = new Float64Array(data.frames.names.length);
  eachBelow(tree, 0, (node, outermost) => {
    const frame = tree.frame[node], caller = tree.frame[tree.parent[node]];
    if (frameKind(frame) === TYPE_KIND && caller >= 0) self[caller] += weights[node];
    else self[frame] += weights[node];
    if (outermost) total[frame] += totals[node];
  });
  return {self, total};
}

const isSelected = ({thread, group}, i) =>
    (shown.thread < 0 || thread[i] === shown.thread) && (shown.groups.size === 0 || shown.groups.has(group[i]));

// From an answer of the server.
function sumsOfAnswer({columns, rows}, {name}) {
  const at = 2 * columns.indexOf(name), self = [], total = [];
  for (const [frame, figures] of rows) [self[frame], total[frame]] = [figures[at] ?? 0, figures[at + 1] ?? 0];
  return {self, total};
}

// What each method column is made of: a weight, self or total, and how its figures read.
function methodColumns(sumsOf) {
  const of = (name) => WEIGHTS.find((one) => one.name === name);
  const timed = of("samples") || of("calls-time");
  const read = (one) => one.unit === "time" ? (value) => duration(value * one.scale) : one.unit === "bytes" ? byteText : (value) => integer.format(value);
  const column = (name, one, part, title) => ({name, title, values: sumsOf(one)[part], text: read(one), figure: true});
  const columns = [];
  if (timed) columns.push(column("Self", timed, "self", "In the method itself"), column("Total", timed, "total", "With what it calls"));
  if (of("calls")) columns.push(column("Calls", of("calls"), "self", "Logged calls"));
  for (const [name, title] of [["bytes", "Bytes"], ["objects", "Objects"]])
    if (of(name)) columns.push(column(title, of(name), "self", "Allocated by its own code"));
  return columns;
}

async function methodList() {
  const answer = facts.served ? await answerForSelection("methods.json") : null;
  if (facts.served && !answer) return null;
  const columns = methodColumns(answer ? (one) => sumsOfAnswer(answer, one) : frameSums);
  const frames = data.frames.names.map((_, frame) => frame).filter((frame) => frame !== facts.smaller &&
      frameKind(frame) !== TYPE_KIND && frameKind(frame) !== OBJECT_KIND && columns.some(({values}) => values[frame] > 0));
  const left = answer ? answer.all - answer.rows.length : 0;
  return {
    name: "Methods", one: "method", isKnown: frames.length > 0 || selectionText() !== "", ...sortedBy(0, true),
    columns: [...columns.map((column) => ({...column, value: ({frame}) => column.values[frame]})),
              {name: "Method", value: ({frame}) => frameName(frame), cell: ({frame}) => listedMethod(frame)},
              {name: "Module", value: ({frame}) => frameModule(frame)}],
    rows: frames.map((frame) => ({frame, searched: [frameName(frame), frameModule(frame), rawNames.get(frame) ?? ""].join("\n")})),
    note: [selectionText(), left > 0 ? `the heaviest by each figure; ${counted(left, "lighter one")} left out` : "",
           data.folded.length > 0 ? "without the call paths that this file leaves out" : ""],
  };
}

// What the list is restricted to, in words.
function selectionText() {
  const parts = [...shown.groups].map(groupName);
  if (shown.thread >= 0) parts.unshift(threadName(shown.thread));
  if (shown.range) parts.push(rangeText());
  return parts.join(" · ");
}

function listedMethod(frame) {
  const swatch = element("i", {class: "swatch"});
  swatch.style.background = frameColor(frame, groupOf(frame));
  return element("div", {class: "method"}, element("button", {type: "button", "data-frame": String(frame), title: frameName(frame)},
                                                   swatch, " ", frameName(frame)));
}

const PAUSE_STEPS = ["Stopping", "Marking", "Planning", "Moving", "Sweeping"];

// Collections that a time range touches.
function isInRange([, begin, end, pause]) {
  if (!shown.range) return true;
  const [from, to] = shown.range.map(nsOfPart);
  return begin < to && Math.max(end, begin + pause) >= from;
}

async function collectionList() {
  // The page has all of the run, or those with the longest pauses.
  const isAsked = facts.served && shown.range && data.collections.leftOut > 0;
  const known = isAsked ? await answerForSelection("collections.json") : data.collections;
  if (!known) return null;
  const rows = known.rows.filter(isInRange).map(([number, begin, end, pause, generation, why, heap, steps, threads, process]) => ({
    number, begin, took: end < 0 ? null : end - begin, pause, generation, why, heap, steps, process: data.collections.processes[process] ?? "",
    threads: threads.map(([thread, ns]) => `${data.threads[thread][0]} ${duration(ns)}`).join(", "),
    searched: [`generation ${generation}`, why, data.collections.processes[process] ?? "",
               ...threads.map(([thread]) => data.threads[thread][0])].join("\n"),
  }));
  const figure = (name, title, value, text) => ({name, title, value, text, figure: true});
  const columns = [
    {name: "Process", title: "Whose heap it collected", value: (row) => row.process},
    {...figure("Number", "The runtime's number of the collection", (row) => row.number, integer.format), zero: true},
    {...figure("Began", "Since the start of the log", (row) => row.begin, duration), zero: true},
    {...figure("Generation", "The oldest one that was collected", (row) => row.generation, String), zero: true},
    figure("Paused", "How long the program was stopped", (row) => row.pause, duration),
    figure("Took", "From its begin to its end", (row) => row.took, duration),
    {name: "Reason", title: "Why it began, and what it was", value: (row) => row.why},
    figure("Heap", "How large the heap was behind it", (row) => row.heap, byteText),
    ...PAUSE_STEPS.map((name, at) => figure(name, "Part of the pause", (row) => row.steps[at], duration)),
    {name: "Threads", title: "The collector's threads, and how long each marked or took part", value: (row) => row.threads},
  ];
  const isKnown = ({name, value}) => name === "Process" ? data.collections.processes.length > 1 :
      !["Heap", "Threads", ...PAUSE_STEPS].includes(name) || rows.some((row) => value(row));
  const left = known.leftOut;
  const kept = columns.filter(isKnown);
  return {name: "Collections", one: "collection", isKnown: data.collections.rows.length > 0,
          ...sortedBy(kept.findIndex(({name}) => name === "Began"), false), columns: kept, rows,
          note: [shown.range ? rangeText() : "", left > 0 ? `those with the longest pauses; ${counted(left, "other")} left out` : ""]};
}

// Rows that match the search, in order. Rows without a value come last.
function listedRows({columns, order, down, rows}) {
  const text = byId("list-search").value, {value} = columns[order];
  const regex = text === "" ? null : patternOf(text);
  const compare = (a, b) => typeof a === "string" ? a.localeCompare(b, "en") : a - b;
  const keyed = rows.filter(({searched}) => regex === null || regex.test(searched)).map((row) => [value(row), row]);
  keyed.sort(([a], [b]) => a === null || b === null ? (a === null) - (b === null) : down ? compare(b, a) : compare(a, b));
  return keyed.map(([, row]) => row);
}

function showLists() {
  const list = lists.chosen;
  byId("list-names").replaceChildren(...lists.all.map((one) =>
      element("button", {type: "button", "aria-pressed": String(one === list)}, one.name)));
  byId("list-columns").replaceChildren(...list.columns.map(({name, title, figure}, at) => {
    const sorted = at !== list.order ? "none" : list.down ? "descending" : "ascending";
    return element("th", {scope: "col", "aria-sort": sorted, ...(figure ? {class: "figure"} : {})},
                   element("button", {type: "button", title: title ?? name, "data-column": String(at)}, name));
  }));
  const rows = listedRows(list);
  byId("list-rows").replaceChildren(...rows.slice(0, lists.most).map((row) => element("tr", {}, ...list.columns.map(({value, text, cell, figure, zero}) => {
    if (cell) return element("td", {}, cell(row));
    const known = value(row);
    if (known === null || figure && known === 0 && !zero) return element("td", {class: "figure soft"}, known === null ? "–" : "");
    return element("td", figure ? {class: "figure"} : {title: known}, figure ? text(known) : known);
  }))));
  const found = rows.length === list.rows.length ? "" : ` of ${integer.format(list.rows.length)}`;
  byId("list-count").textContent = counted(rows.length, list.one) + found;
  byId("list-note").textContent = list.note.filter((text) => text !== "").join("; ");
  byId("list-more").hidden = rows.length <= lists.most;
  byId("list-more").textContent = `Show more: ${integer.format(rows.length - lists.most)} are not shown`;
}

function chooseList(list) {
  lists.chosen = list;
  lists.most = LIST_ROWS;
  byId("list-search").value = "";
  showLists();
  keepLink();
}

// How a list is sorted now, and was at first.
const sortedBy = (order, down) => ({order, down, first: {order, down}});
const isSortedAsAtFirst = ({order, down, first}) => order === first.order && down === first.down;
const sortOf = ({columns, order, down}) => [columns[order].name, down ? "down" : "up"];

function sortList(column) {
  const list = lists.chosen;
  // Figures are looked at from the largest down.
  list.down = list.order === column ? !list.down : list.columns[column].figure === true;
  list.order = column;
  showLists();
  keepLink();
  byId("list-columns").children[column].firstChild.focus();
}

function toLists() {
  if (lists.all.length === 0) return;
  byId("lists").scrollIntoView();
  byId("list-search").focus({preventScroll: true});
}

// Makes the lists anew after a change of what is selected. The chosen one stays, and its order.
async function refreshLists() {
  const number = ++lists.asked;
  const made = [await methodList(), await collectionList()];
  if (number !== lists.asked || made.includes(null)) return;
  const before = lists.chosen;
  lists.all = made.filter(({isKnown}) => isKnown);
  const none = lists.all.length === 0;
  byId("lists").hidden = none;
  byId("to-lists").hidden = none;
  if (none) return;
  const {list, sort: [column, down]} = before ? {list: before.name, sort: sortOf(before)} : linked;
  lists.chosen = lists.all.find(({name}) => name === list) ?? lists.all[0];
  const order = lists.chosen.columns.findIndex(({name}) => name === column);
  if (order >= 0) Object.assign(lists.chosen, {order, down: down === "down"});
  showLists();
  keepLink();
}

function startLists() {
  byId("list-names").addEventListener("click", (event) => {
    const list = lists.all.find(({name}) => name === event.target.textContent);
    if (!list) return;
    chooseList(list);
    byId("list-names").children[lists.all.indexOf(list)].focus();
  });
  byId("list-columns").addEventListener("click", (event) => {
    const column = event.target.closest("button")?.dataset.column;
    if (column !== undefined) sortList(Number(column));
  });
  byId("list-search").addEventListener("input", () => {
    lists.most = LIST_ROWS;
    showLists();
    keepLink();
  });
  byId("list-more").addEventListener("click", () => {
    lists.most += LIST_ROWS;
    showLists();
  });
}
