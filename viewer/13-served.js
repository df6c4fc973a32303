// A page that is served asks the server for what it draws. Each answer has what is selected, as src/exports/
// page_selection.h says it:
// - graph.json: tree, as in the page, with what is too small to draw folded; smaller: of the nodes that this made, [node,
//   least, number of callees]; threads: [thread, weight]; methods: rows of [frame, self, total], the heaviest of `all`;
//   found: what the search found, [weight, number of frames]; hidden: nodes of scaffolding; frames, with groups: that of
//   each frame's first node.
// - method.json: self, total, whole; callers and callees, [frame, weight]; frames.
// - methods.json: columns, the names of weights; rows of [frame, [self, total of each]], the heaviest of `all`; frames.
// - collections.json: as in the page. names.json: all frames.

const isServed = () => facts.served && !heapShown();
const served = {
  asked: 0,           // questions for the graph so far
  graph: null,        // the answer that is shown
  isStale: true,      // something else than that is selected
  groups: new Map(),  // by frame
  hasNames: false,    // whether all frames are known
};

// What is selected, as words of a request. A log that grows is read again for a further page, and then has other numbers.
function selectionWords() {
  const words = {reading: document.body.dataset.reading, tree: treeNumber(), scaffolding: shown.scaffolding ? 1 : 0};
  if (weightShown().column === 1) words.second = 1;
  if (shown.thread >= 0) words.thread = shown.thread;
  if (shown.groups.size > 0) words.group = [...shown.groups].join(",");
  if (shown.range) [words.from, words.to] = shown.range.map(nsOfPart);
  if (shown.callersOf >= 0) words.callers = shown.callersOf;
  return words;
}

const nsOfPart = (part) => Math.round(data.time.begin + part * (data.time.end - data.time.begin) / data.time.parts);

async function answerTo(name, words) {
  let answer;
  try {
    const response = await fetch(`${name}?${new URLSearchParams(words)}`);
    answer = response.ok ? await response.json() : {problem: "this is too much to ask for at once: search for less, or zoom out"};
  } catch {
    answer = {problem: "oriel view has ended: start it again"};
  }
  showProblem(answer.problem ?? "");
  if (answer.problem) return null;
  if (answer.frames) learnFrames(answer.frames);
  return answer;
}

// The answer for what is selected; null if something else is selected by then.
async function answerForSelection(name, words = {}) {
  const selected = selectionWords();
  const answer = await answerTo(name, {...selected, ...words});
  return JSON.stringify(selectionWords()) === JSON.stringify(selected) ? answer : null;
}

function learnFrames(frames) {
  addFrames(frames);
  frames.all.forEach(([frame], i) => served.groups.set(frame, frames.groups[i]));
}

function showProblem(text) {
  document.getElementById("problem").hidden = text === "";
  document.getElementById("problem").textContent = text;
}

// The graph zoomed by that way (see wayTo); null if there is none, or a later question replaced this one.
async function askForGraph(way) {
  const number = ++served.asked;
  document.body.setAttribute("aria-busy", "true");
  const words = {zoom: way.join(".")};
  if (search.active) words.found = foundDigits();
  const answer = await answerForSelection("graph.json", words);
  if (number !== served.asked) return null;
  document.body.removeAttribute("aria-busy");
  if (answer === null) return null;
  const tree = treeOf(answer.tree);
  tree.entries.thread.fill(shown.thread);
  return {...answer, tree, smaller: new Map(answer.smaller.map(([node, least, callees]) => [node, {least, callees}]))};
}

// Of the node that stands for callees too small to draw: what it stands for. Only the server opens it.
const isSmaller = (node) => node > 0 && model.frame[node] === facts.smaller;
const smallerOf = (node) => served.graph && isServed() ? served.graph.smaller.get(node) : undefined;

// The way from the root to a node: frames, and the bounds of what was too small to draw.
function wayTo(node) {
  const way = [];
  for (; node > 0; node = model.parent[node]) {
    const small = smallerOf(node);
    way.push(small ? `s${small.least}` : String(model.frame[node]));
  }
  return way.reverse();
}

// The node at the end of a way, or as far as there is one.
function nodeAt(way) {
  let node = 0;
  for (const step of way) {
    let next = -1;
    for (let i = model.firstChild[node]; i < model.firstChild[node + 1] && next < 0; i++) {
      const child = model.children[i], small = smallerOf(child);
      if (step === (small ? `s${small.least}` : String(model.frame[child]))) next = child;
    }
    if (next < 0 || model.total[next] === 0) break;
    node = next;
  }
  return node;
}
