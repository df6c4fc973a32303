"use strict";
// The profile in the page, and the weights of what is shown of it.
//
// The JSON that `oriel export` puts in: facts (for the header); frames (names, module: index into modules, kinds: a
// digit a frame, raw: [frame, name] where metadata has another one); tree: nodes depth first, without the root, each as
// `up` (how many places before it its caller stands) and `frame`; threads: their own weights, in sampling periods, as
// `nodes` (each the distance to the one before) and `self`.
const data = JSON.parse(document.getElementById("data").textContent);
const facts = data.facts;
const KINDS = ["managed", "native", "runtime", "type"];

const frameName = (frame) => data.frames.names[frame];
const frameModule = (frame) => data.frames.modules[data.frames.module[frame]];
const frameKind = (frame) => data.frames.kinds.charCodeAt(frame) - 48;
const rawNames = new Map(data.frames.raw);

const model = (() => {
  const size = data.tree.up.length + 1;
  const parent = new Int32Array(size);
  const frame = new Int32Array(size).fill(-1);
  const depth = new Int32Array(size);
  for (let i = 1; i < size; i++) {
    parent[i] = i - data.tree.up[i - 1];
    frame[i] = data.tree.frame[i - 1];
    depth[i] = depth[parent[i]] + 1;
  }
  // The children of node n are children[firstChild[n]] up to children[firstChild[n + 1]].
  const firstChild = new Int32Array(size + 1);
  for (let i = 1; i < size; i++) firstChild[parent[i] + 1]++;
  for (let i = 0; i < size; i++) firstChild[i + 1] += firstChild[i];
  const children = new Int32Array(Math.max(0, size - 1));
  const filled = firstChild.slice();
  for (let i = 1; i < size; i++) children[filled[parent[i]]++] = i;
  return {
    size, parent, frame, depth, firstChild, children,
    self: new Float64Array(size), total: new Float64Array(size),
    start: new Float64Array(size),  // where a node begins, in periods from the graph's left edge
  };
})();

function addThread(thread) {
  let node = 0;
  for (let i = 0; i < thread.nodes.length; i++) {
    node += thread.nodes[i];
    model.self[node] += thread.self[i];
  }
}

const threadPeriods = (thread) => thread.self.reduce((sum, periods) => sum + periods, 0);

// Weighs the tree with one thread's samples, or with all (-1), and lays it out: siblings side by side, heaviest first.
function weigh(threadIndex) {
  const {size, parent, firstChild, children, self, total, start} = model;
  self.fill(0);
  if (threadIndex < 0) data.threads.forEach(addThread);
  else addThread(data.threads[threadIndex]);
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
}

// Index after the last node of the subtree: nodes stand depth first.
function subtreeEnd(node) {
  let end = node + 1;
  while (end < model.size && model.depth[end] > model.depth[node]) end++;
  return end;
}

// Self and total of each function below `root` as [frame, self, total]; recursion counts once in the total.
function functionWeights(root) {
  const {frame, depth, self, total} = model;
  const selfOf = new Float64Array(data.frames.names.length);
  const totalOf = new Float64Array(data.frames.names.length);
  const active = new Int32Array(data.frames.names.length);
  const path = [];
  for (let i = root, end = subtreeEnd(root); i < end; i++) {
    while (path.length > depth[i] - depth[root]) active[path.pop()]--;
    const f = frame[i] < 0 ? 0 : frame[i];
    if (frame[i] >= 0) {
      selfOf[f] += self[i];
      if (active[f] === 0) totalOf[f] += total[i];
    }
    active[f]++;
    path.push(f);
  }
  const rows = [];
  totalOf.forEach((weight, f) => { if (weight > 0) rows.push([f, selfOf[f], weight]); });
  return rows;
}

// Self weight below `root` by kind of frame.
function kindWeights(root) {
  const weights = KINDS.map(() => 0);
  for (let i = root, end = subtreeEnd(root); i < end; i++)
    if (model.frame[i] >= 0) weights[frameKind(model.frame[i])] += model.self[i];
  return weights;
}
