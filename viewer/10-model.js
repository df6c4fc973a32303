"use strict";
// The profile in the page, and the weights of what is shown of it.
//
// The JSON that `oriel export` puts in: facts (of the page); summary: facts as [label, text, is a warning], hints and
// own methods as in the JSON of `oriel report summary`; groups: what code is for, [category, name] each; frames (names,
// module: index into modules, kinds: a digit a frame, raw: [frame, name] where metadata has another one); threads: [name,
// id]; trees: nodes depth first, without the root, each as `up` (how many places before it its caller stands), `frame`
// and `group`, and of each thread its own weights as `nodes` (each the distance to the one before), `self` and, where
// there is one, by another measure `second`, with `other` for weights of another group than their node's: [place,
// group]; weights: what the trees' columns are; lines: see src/export/page_lines.h.
const data = JSON.parse(document.getElementById("data").textContent);
const facts = data.facts;
const KINDS = ["managed", "native", "runtime", "type"];
const UNNAMED_FRAMES = 2;  // the first ones stand for stacks and callers that are not known

const frameName = (frame) => data.frames.names[frame];
const frameModule = (frame) => data.frames.modules[data.frames.module[frame]];
const frameKind = (frame) => data.frames.kinds.charCodeAt(frame) - 48;
const rawNames = new Map(data.frames.raw);
const groupKey = (group) => data.groups[group][0];
const groupName = (group) => data.groups[group][1];

// What frames can be weighed by: the log's weights, of samples the time that they stand for first.
const WEIGHTS = data.weights.flatMap(({name, tree, column}) => {
  const unit = {"samples": "samples", "calls-time": "time", "calls": "calls", "bytes": "bytes", "objects": "objects"}[name];
  const label = {"samples": "Samples", "calls-time": "Time in calls", "calls": "Calls", "bytes": "Bytes", "objects": "Objects"}[name];
  const made = {name, tree, column, unit, label, scale: 1};
  if (name !== "samples" || !facts.periodNs) return [made];
  return [{...made, unit: "time", label: facts.mode === "real" ? "Real time" : "CPU time", scale: facts.periodNs}, made];
});

// What is shown. Of `groups`, those that are counted; all if there is none.
const shown = {
  weight: Math.max(0, WEIGHTS.findIndex(({name}) => name === facts.weight)),
  thread: -1,
  groups: new Set(),
  scaffolding: false,
  callersOf: -1,  // a frame: its callers are shown, not the calls from the threads' starts down
};
const weightShown = () => WEIGHTS[shown.weight];

// A tree of nodes in depth-first order. The children of node n are children[firstChild[n]] up to
// children[firstChild[n + 1]].
function makeTree(size, parent, frame, group) {
  const depth = new Int32Array(size);
  const firstChild = new Int32Array(size + 1);
  for (let i = 1; i < size; i++) {
    depth[i] = depth[parent[i]] + 1;
    firstChild[parent[i] + 1]++;
  }
  for (let i = 0; i < size; i++) firstChild[i + 1] += firstChild[i];
  const children = new Int32Array(Math.max(0, size - 1));
  const filled = firstChild.slice();
  for (let i = 1; i < size; i++) children[filled[parent[i]]++] = i;
  return {
    size, parent, frame, group, depth, firstChild, children,
    self: new Float64Array(size), total: new Float64Array(size),
    start: new Float64Array(size),  // where a node begins, in periods from the graph's left edge
  };
}

// Weights of single threads: `place` has the node of each.
function readWeights(tree) {
  const entries = {place: [], thread: [], group: [], columns: [[], []]};
  for (const {thread, nodes, self, second, other} of tree.threads) {
    let node = 0;
    const begin = entries.place.length;
    for (let i = 0; i < nodes.length; i++) {
      node += nodes[i];
      entries.place.push(node);
      entries.thread.push(thread);
      entries.group.push(node === 0 ? 0 : tree.group[node - 1]);
      entries.columns[0].push(self[i]);
      if (second.length > 0) entries.columns[1].push(second[i]);
    }
    for (const [at, group] of other) entries.group[begin + at] = group;
  }
  return entries;
}

const readTree = (() => {
  const known = [];
  return (number) => {
    if (known[number]) return known[number];
    const {up, frame, group} = data.trees[number];
    const size = up.length + 1;
    const parents = new Int32Array(size);
    for (let i = 1; i < size; i++) parents[i] = i - up[i - 1];
    const tree = makeTree(size, parents, Int32Array.from([-1, ...frame]), Int32Array.from([0, ...group]));
    return known[number] = {...tree, entries: readWeights(data.trees[number])};
  };
})();

// Grows another tree for the weights of one.
class Regrower {
  constructor() {
    this.parent = [0];
    this.frame = [-1];
    this.group = [0];
    this.known = new Map();
  }
  child(parent, frame, group) {
    const key = parent * data.frames.names.length + frame;
    let node = this.known.get(key);
    if (node === undefined) {
      node = this.parent.length;
      this.known.set(key, node);
      this.parent.push(parent);
      this.frame.push(frame);
      this.group.push(group);
    }
    return node;
  }
  // `place`: by entry of `from`, its node here or -1.
  finish(from, place) {
    const size = this.parent.length;
    const below = Array.from({length: size}, () => []);
    for (let i = size - 1; i > 0; i--) below[this.parent[i]].push(i);
    const order = new Int32Array(size), parent = new Int32Array(size);
    const frame = new Int32Array(size), group = new Int32Array(size);
    const open = [0];
    for (let at = 0; open.length > 0; at++) {
      const node = open.pop();
      order[node] = at;
      parent[at] = order[this.parent[node]];
      frame[at] = this.frame[node];
      group[at] = this.group[node];
      for (const child of below[node]) open.push(child);
    }
    const tree = makeTree(size, parent, frame, group);
    return {...tree, entries: {...from.entries, place: place.map((node) => node < 0 ? -1 : order[node])}};
  }
}

// The groups whose code a person came for: the program's own, and the SDK's, whose parts are programs themselves; where
// there is neither, packages.
const meantGroups = (() => {
  const of = (test) => new Set(data.groups.flatMap((group, number) => test(...group) ? [number] : []));
  const found = of((key, name) => key === "own" || (key === "framework" && name === "SDK"));
  return found.size > 0 ? found : of((key) => key === "package");
})();

// Where the system's library starts a thread.
const startsThread = (frame) => frameKind(frame) === 1 && /^(libc|libpthread)[.-]/.test(frameModule(frame));

// Whether a node is scaffolding: what the runtime and .NET put between a thread's start and the code that is meant, or
// between two pieces of that, and that does next to nothing else.
function scaffolding(tree) {
  const NEARLY_ALL = 0.98;
  const {size, parent, frame, group, entries} = tree;
  const self = new Float64Array(size), meant = new Float64Array(size), is = new Uint8Array(size);
  entries.place.forEach((node, i) => { self[node] += entries.columns[0][i]; });
  const total = self.slice();
  for (let i = size - 1; i > 0; i--) {
    const own = meantGroups.has(group[i]) && frameKind(frame[i]) !== 3;
    if (own) meant[i] = total[i];
    else is[i] = frame[i] >= UNNAMED_FRAMES && meant[i] > 0 && meant[i] >= NEARLY_ALL * total[i] ? 1 : 0;
    total[parent[i]] += total[i];
    meant[parent[i]] += meant[i];
  }
  for (let i = 1; i < size; i++)
    if ((parent[i] === 0 || is[parent[i]]) && startsThread(frame[i]) && self[i] <= (1 - NEARLY_ALL) * total[i]) is[i] = 1;
  return is;
}

// All functions of a library without symbols are one frame, "[libcoreclr.so]": that they call each other says nothing.
const isUnnamed = (frame) => frame >= UNNAMED_FRAMES && frameKind(frame) !== 0 && frameName(frame).startsWith("[");

// Without scaffolding: what it leads to hangs from what led to it.
function fold(tree) {
  const is = scaffolding(tree), regrower = new Regrower();
  const kept = new Int32Array(tree.size);
  let hidden = 0;
  for (let i = 1; i < tree.size; i++) {
    const above = kept[tree.parent[i]], frame = tree.frame[i];
    const hide = is[i] || (isUnnamed(frame) && regrower.frame[above] === frame);
    kept[i] = hide ? above : regrower.child(above, frame, tree.group[i]);
    if (hide) hidden++;
  }
  return {...regrower.finish(tree, tree.entries.place.map((node) => kept[node])), hidden};
}

// The callers of a frame below it, theirs below them. A stack with the frame more than once is followed from the
// innermost of them outwards; a call by itself is no caller.
function invert(tree, wanted) {
  const regrower = new Regrower();
  const innermost = new Int32Array(tree.size), end = new Int32Array(tree.size).fill(-1);
  for (let i = 1; i < tree.size; i++) innermost[i] = tree.frame[i] === wanted ? i : innermost[tree.parent[i]];
  const follow = (from) => {
    let at = 0, last = -1;
    for (let node = from; node > 0; node = tree.parent[node]) {
      const frame = tree.frame[node];
      if (frame === wanted && last === wanted) continue;
      at = regrower.child(at, frame, tree.group[node]);
      last = frame;
    }
    return at;
  };
  const place = tree.entries.place.map((node) => {
    const from = innermost[node];
    if (from === 0) return -1;
    if (end[from] < 0) end[from] = follow(from);
    return end[from];
  });
  return regrower.finish(tree, place);
}

// Weighs a tree with what is to be counted, and lays it out: siblings side by side, heaviest first.
function weigh(tree) {
  const {size, parent, firstChild, children, self, total, start, entries} = tree;
  const column = entries.columns[weightShown().column];
  self.fill(0);
  entries.place.forEach((node, i) => {
    if (node < 0 || (shown.thread >= 0 && entries.thread[i] !== shown.thread)) return;
    if (shown.groups.size === 0 || shown.groups.has(entries.group[i])) self[node] += column[i];
  });
  total.set(self);
  for (let i = size - 1; i > 0; i--) total[parent[i]] += total[i];
  start[0] = 0;
  for (let i = 0; i < size; i++) {
    const siblings = children.subarray(firstChild[i], firstChild[i + 1]);
    if (siblings.length > 1) siblings.sort((a, b) => total[b] - total[a] || a - b);
    let at = start[i];
    for (const child of siblings) {
      start[child] = at;
      at += total[child];
    }
  }
  return tree;
}

const foldedTree = (() => {
  const known = [];
  return (number) => known[number] ||= fold(readTree(number));
})();

const treeShown = () => shown.scaffolding ? readTree(weightShown().tree) : foldedTree(weightShown().tree);

// The group of a frame, where it stands first: elsewhere it may serve another purpose.
const groupOf = (() => {
  const known = [];
  return (frame) => {
    const number = weightShown().tree;
    if (!known[number]) {
      known[number] = new Map();
      const tree = readTree(number);
      for (let i = tree.size - 1; i > 0; i--) known[number].set(tree.frame[i], tree.group[i]);
    }
    return known[number].get(frame) || 0;
  };
})();

let calls;  // the tree from the threads' starts down, weighed
let model;  // what the graph shows: that, or the callers of a frame

function makeModel() {
  calls = weigh(treeShown());
  model = shown.callersOf < 0 ? calls : weigh(invert(calls, shown.callersOf));
}

// Sums of the shown weight by thread, whatever thread and group is shown.
function threadWeights() {
  const {entries} = treeShown(), column = entries.columns[weightShown().column];
  const sums = data.threads.map(() => 0);
  entries.thread.forEach((thread, i) => { sums[thread] += column[i]; });
  return sums;
}

// Index after the last node of the subtree: nodes stand depth first.
function subtreeEnd(tree, node) {
  let end = node + 1;
  while (end < tree.size && tree.depth[end] > tree.depth[node]) end++;
  return end;
}

// Self weight below `root` by group, whatever group is shown.
function groupWeights(tree, root) {
  const {entries} = tree, column = entries.columns[weightShown().column];
  const end = subtreeEnd(tree, root), sums = data.groups.map(() => 0);
  entries.place.forEach((node, i) => {
    if (node >= root && node < end && (shown.thread < 0 || entries.thread[i] === shown.thread)) sums[entries.group[i]] += column[i];
  });
  return sums;
}

// Calls `visit(node, outermost)` for each node below `root`, callers first; `outermost`: no caller has its frame.
function eachBelow(tree, root, visit) {
  const {frame, depth} = tree;
  const active = new Int32Array(data.frames.names.length);
  const path = [];
  for (let i = root, end = subtreeEnd(tree, root); i < end; i++) {
    while (path.length > depth[i] - depth[root]) active[path.pop()]--;
    if (frame[i] >= 0) visit(i, active[frame[i]] === 0);
    const f = Math.max(0, frame[i]);
    active[f]++;
    path.push(f);
  }
}

// Self and total of each function below `root` as [frame, self, total]; recursion counts once in the total.
function functionWeights(tree, root) {
  const selfOf = new Float64Array(data.frames.names.length);
  const totalOf = new Float64Array(data.frames.names.length);
  eachBelow(tree, root, (node, outermost) => {
    selfOf[tree.frame[node]] += tree.self[node];
    if (outermost) totalOf[tree.frame[node]] += tree.total[node];
  });
  const rows = [];
  totalOf.forEach((weight, f) => { if (weight > 0) rows.push([f, selfOf[f], weight]); });
  return rows;
}

// Who calls a frame and what it calls, as [frame, weight], heaviest first; -1: the thread's start. Of a recursion it is
// the innermost call, as in the graph of callers.
function neighbours(tree, wanted) {
  const {size, parent, frame, self} = tree;
  const callers = new Map(), callees = new Map();
  const add = (to, key, weight) => { if (weight > 0) to.set(key, (to.get(key) || 0) + weight); };
  const inner = self.slice();  // without what is below another call of the frame
  for (let i = size - 1; i > 0; i--) {
    const isIt = frame[i] === wanted;
    if (!isIt) inner[parent[i]] += inner[i];
    if (!isIt && frame[parent[i]] === wanted) add(callees, frame[i], inner[i]);
    let above = parent[i];
    while (isIt && frame[above] === wanted) above = parent[above];
    if (isIt) add(callers, frame[above], inner[i]);
  }
  const sorted = (map) => [...map].sort((a, b) => b[1] - a[1]);
  return {callers: sorted(callers), callees: sorted(callees)};
}
