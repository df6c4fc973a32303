// The address of what is shown, so that a link or a reload shows it again:
//   #weight=time&thread=Main&category=your+code&from=1000&to=2000&zoom=5.17&…
// Times are in nanoseconds, and frames of the way by their numbers, which are those of this log and version of Oriel.

const weightKey = ({name, unit}) => name === "samples" && unit === "time" ? "time" : name;

// Marks go into the address by their texts, if each is the first with its text; else the range does.
const isFirstWithText = (mark) => mark === "" || (time.marks[Number(mark)][1] !== "" &&
    time.marks.findIndex(([, text]) => text === time.marks[Number(mark)][1]) === Number(mark));
const marksAreLinked = () => shown.marks.some((mark) => mark !== "") && shown.marks.every(isFirstWithText);

// By word: what it is now, "" if that is what the page begins with; and how it is shown again.
const LINKED = {
  weight: {
    get: () => shown.weight === firstWeight ? "" : weightKey(weightShown()),
    set: ([key]) => { shown.weight = WEIGHTS.findIndex((one) => weightKey(one) === key); },
    reset: () => { shown.weight = firstWeight; },
  },
  thread: {
    get: () => shown.thread < 0 ? "" : threadName(shown.thread),
    set: ([name]) => { shown.thread = data.threads.findIndex(([other]) => other === name); },
    reset: () => { shown.thread = -1; },
  },
  category: {
    get: () => [...shown.groups].map(groupName),
    set: (names) => { shown.groups = new Set(data.groups.flatMap(([, name], group) => names.includes(name) ? [group] : [])); },
    reset: () => { shown.groups = new Set(); },
  },
  range: {
    get: () => shown.range && !marksAreLinked() ? shown.range.map(nsOfPart).join("-") : "",
    set: ([range]) => {
      const [from, to] = range.split("-").map((ns) => (Number(ns) - time.begin) / partNs);
      if (from < to) shown.range = facts.served ? [from, to] : [Math.floor(from + 1e-6), Math.ceil(to - 1e-6)];
    },
    reset: () => { shown.range = null; },
  },
  marks: {
    get: () => marksAreLinked() ? shown.marks.map((mark) => mark === "" ? "" : time.marks[Number(mark)][1]) : "",
    set: (texts) => {
      shown.marks = texts.map((text) => text === "" ? "" : String(time.marks.findIndex(([, other]) => other === text))).map((mark) => mark === "-1" ? "" : mark);
      const [from, to] = rangeOfMarks(shown.marks).map((part) => Math.min(time.parts, Math.max(0, part)));
      if (shown.marks.length !== 2 || from >= to) shown.marks = WHOLE_RUN.marks;
      else if (from > 0 || to < time.parts) shown.range = [from, to];
    },
    reset: () => { shown.marks = WHOLE_RUN.marks; },
  },
  scaffolding: {
    get: () => shown.scaffolding ? "1" : "",
    set: () => { shown.scaffolding = true; },
    reset: () => { shown.scaffolding = false; },
  },
  callers: {
    get: () => shown.callersOf < 0 ? "" : String(shown.callersOf),
    set: ([frame]) => { shown.callersOf = Number(frame); },
    reset: () => { shown.callersOf = -1; },
  },
  snapshot: {
    get: () => heapShown() && shown.snapshot !== data.heap.snapshots.length - 1 ? String(shown.snapshot) : "",
    set: ([number]) => { if (data.heap.snapshots[number]) shown.snapshot = Number(number); },
    reset: () => { shown.snapshot = data.heap.snapshots.length - 1; },
  },
  draw: {
    get: () => drawing() === "icicle" ? "" : drawing(),
    set: ([kind]) => { [view.map, view.flipped] = [kind === "map", kind === "flame"]; },
    reset: () => { view.map = view.flipped = false; },
  },
  find: {
    get: () => byId("search").value,
    set: ([text]) => { byId("search").value = text; },
    reset: () => { byId("search").value = ""; },
  },
  list: {
    get: () => lists.chosen ? lists.chosen.name === lists.all[0].name ? "" : lists.chosen.name : linked.list,
    set: ([name]) => { linked.list = name; },
    reset: () => { linked.list = ""; },
  },
  sort: {
    get: () => !lists.chosen ? linked.sort : isSortedAsAtFirst(lists.chosen) ? "" : sortOf(lists.chosen),
    set: (sort) => { linked.sort = sort; },
    reset: () => { linked.sort = []; },
  },
  rows: {
    get: () => byId("list-search").value,
    set: ([text]) => { byId("list-search").value = text; },
    reset: () => { byId("list-search").value = ""; },
  },
  zoom: {
    get: () => wayTo(view.zoomed).join("."),
    set: ([way]) => { linked.way = way.split("."); },
    reset: () => { linked.way = []; },
  },
};
const firstWeight = shown.weight;
const linked = {list: "", sort: [], way: [], isRead: false};

function keepLink() {
  if (!linked.isRead) return;
  const words = new URLSearchParams();
  for (const [name, {get}] of Object.entries(LINKED)) {
    const value = get();
    if (value !== "" && value.length > 0) for (const one of [value].flat()) words.append(name, one);
  }
  const text = words.toString();
  history.replaceState(null, "", text === "" ? location.pathname + location.search : "#" + text);
  linkTables();
}

// The page of tables shows the same time and thread.
function linkTables() {
  const words = new URLSearchParams();
  if (shown.range) [["from", 0], ["to", 1]].forEach(([name, at]) => words.set(name, nsOfPart(shown.range[at])));
  if (shown.thread >= 0) words.set("thread", data.threads[shown.thread][1]);
  byId("to-tables").setAttribute("href", words.size === 0 ? "tables" : "tables#" + words);
}

// Shows what the address says; what is not in the log is not selected.
async function showLinked() {
  const words = new URLSearchParams(location.hash.slice(1));
  linked.isRead = false;
  lists.chosen = null;
  for (const [name, {set, reset}] of Object.entries(LINKED)) {
    reset();
    if (words.has(name)) set(words.getAll(name));
  }
  if (!WEIGHTS[shown.weight]) shown.weight = firstWeight;
  if (frameName(shown.callersOf) === undefined && !facts.served) shown.callersOf = -1;
  setSearch(byId("search").value);
  view.zoomed = 0;
  if (isServed()) {
    served.isStale = true;
    await askAgain(linked.way);
  } else {
    showModel();
    const node = nodeAt(linked.way);
    if (node > 0) showZoom(node, false);
  }
  linked.isRead = true;
  if (isServed() && search.active) searchAll(byId("search").value);
  keepLink();
}

window.addEventListener("hashchange", showLinked);
