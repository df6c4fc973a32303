// Sums over the shown tree.

// Whether the shown weight has times.
const hasTimes = () => isServed() ? data.trees[treeNumber()].timed === true :
    data.trees[treeNumber()].threads.some(({parts}) => parts.length > 0);

// The part of an entry's weight in the selected time range.
function inRange(parts) {
  const [low, high] = shown.range;
  let part = 0, sum = 0;
  for (let i = 0; i < parts.length; i += 2) {
    part += parts[i];
    if (part >= high) break;
    if (part >= low) sum += parts[i + 1];
  }
  return sum;
}

// The shown weight by entry, within the selected time range.
const columnShown = (() => {
  const known = {parts: null, range: null, column: null};
  return (entries) => {
    if (isServed()) return entries.columns[0];  // the answer is of the weight and range
    if (!shown.range || entries.parts.length === 0) return entries.columns[weightShown().column];
    if (known.parts !== entries.parts || known.range !== shown.range)
      Object.assign(known, {parts: entries.parts, range: shown.range, column: entries.parts.map(inRange)});
    return known.column;
  };
})();

// Computes a tree's weights from what is counted, and its layout: siblings side by side, heaviest first.
function weigh(tree) {
  const {size, parent, firstChild, children, self, total, start, entries} = tree;
  const column = columnShown(entries);
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

// What holds objects is no scaffolding.
const treeShown = () => shown.scaffolding || heapShown() ? readTree(treeNumber()) : foldedTree(treeNumber());

// The group of a frame at its first occurrence; elsewhere it may serve another purpose.
const groupOf = (() => {
  const known = [];
  return (frame) => {
    if (isServed()) return served.groups.get(frame) || 0;
    const number = treeNumber();
    if (!known[number]) {
      known[number] = new Map();
      const tree = readTree(number);
      for (let i = tree.size - 1; i > 0; i--) known[number].set(tree.frame[i], tree.group[i]);
    }
    return known[number].get(frame) || 0;
  };
})();

const nothing = treeOf({up: [], frame: [], group: [], threads: []});
let calls = nothing;  // the call tree, weighed
let model = nothing;  // what the graph shows: `calls`, or the callers of a frame

function makeModel() {
  if (isServed()) {
    calls = model = weigh(served.graph.tree);
    return;
  }
  calls = weigh(treeShown());
  model = shown.callersOf < 0 ? calls : weigh(invert(calls, shown.callersOf));
}

// Sums of the shown weight by thread, ignoring the selected thread and groups.
function threadWeights() {
  const sums = data.threads.map(() => 0);
  if (isServed()) {
    for (const [thread, sum] of served.graph.threads) sums[thread] = sum;
    return sums;
  }
  const {entries} = treeShown(), column = columnShown(entries);
  entries.thread.forEach((thread, i) => { sums[thread] += column[i]; });
  return sums;
}

// Index after the last node of the subtree, in depth-first order.
function subtreeEnd(tree, node) {
  let end = node + 1;
  while (end < tree.size && tree.depth[end] > tree.depth[node]) end++;
  return end;
}

// Self weight below `root` by group, ignoring selected groups.
function groupWeights(tree, root) {
  const {entries} = tree, column = columnShown(entries);
  const end = subtreeEnd(tree, root), sums = data.groups.map(() => 0);
  entries.place.forEach((node, i) => {
    if (node >= root && node < end && (shown.thread < 0 || entries.thread[i] === shown.thread)) sums[entries.group[i]] += column[i];
  });
  return sums;
}

// Calls `visit(node, outermost)` for each node below `root`, callers first. `outermost`: no caller has the node's
// frame.
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

// Callers and callees of a frame as [frame, weight], heaviest first; -1 is a thread's start. For recursion, the
// innermost call counts, as in the graph of callers.
function neighbours(tree, wanted) {
  const {size, parent, frame, self} = tree;
  const callers = new Map(), callees = new Map();
  const add = (to, key, weight) => { if (weight > 0) to.set(key, (to.get(key) || 0) + weight); };
  const inner = self.slice();  // without nested calls of the frame
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
