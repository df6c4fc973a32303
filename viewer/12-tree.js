// Trees of frames with weights of nodes, read from the data or derived from another tree.

// A tree with nodes in depth-first order. The children of node n are children[firstChild[n]] to children[firstChild[n +
// 1] - 1].
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
    start: new Float64Array(size),  // left edge of a node, in periods
  };
}

// Weights by thread: `place` is the node of each.
function readWeights(tree) {
  const entries = {place: [], thread: [], group: [], columns: [[], []], parts: []};
  for (const {thread, nodes, self, second, other, parts} of tree.threads) {
    let node = 0;
    const begin = entries.place.length;
    for (let i = 0; i < nodes.length; i++) {
      node += nodes[i];
      entries.place.push(node);
      entries.thread.push(thread);
      entries.group.push(node === 0 ? 0 : tree.group[node - 1]);
      entries.columns[0].push(self[i]);
      if (second.length > 0) entries.columns[1].push(second[i]);
      if (parts.length > 0) entries.parts.push(parts[i]);
    }
    for (const [at, group] of other) entries.group[begin + at] = group;
  }
  return entries;
}

const readTree = (() => {
  const known = [];
  return (number) => {
    if (known[number]) return known[number];
    return known[number] = treeOf(data.trees[number]);
  };
})();

function treeOf(read) {
  const {up, frame, group, scaffolding = []} = read;
  const size = up.length + 1;
  const parents = new Int32Array(size), frames = new Int32Array(size).fill(-1), groups = new Int32Array(size);
  for (let i = 1; i < size; i++) {
    parents[i] = i - up[i - 1];
    frames[i] = frame[i - 1];
    groups[i] = group[i - 1];
  }
  const hidden = new Uint8Array(size);
  let node = 0;
  for (const distance of scaffolding) hidden[node += distance] = 1;
  return {...makeTree(size, parents, frames, groups), scaffolding: hidden, entries: readWeights(read)};
}

// Builds another tree for the weights of an existing one.
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
  // `place`: by entry of `from`, its node here, or -1.
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
