// Derived trees: without scaffolding, and inverted from a frame to its callers.

// The groups of the code that the user profiles: own code, and that of the SDK, whose parts are programs themselves; if
// there is neither, packages.
const meantGroups = (() => {
  const of = (test) => new Set(data.groups.flatMap((group, number) => test(...group) ? [number] : []));
  const found = of((key, name) => key === "own" || (key === "framework" && name === "SDK"));
  return found.size > 0 ? found : of((key) => key === "package");
})();

// Whether the C library starts a thread here.
const startsThread = (frame) => frameKind(frame) === 1 && /^(libc|libpthread)[.-]/.test(frameModule(frame));

// By node: whether it is scaffolding, .NET frames between a thread's start and the user's code, or between two parts of
// it, that do next to nothing else.
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

// A library without symbols is one frame, "[libcoreclr.so]", so calls within it say nothing.
const isUnnamed = (frame) => frame >= UNNAMED_FRAMES && frameKind(frame) !== 0 && frameName(frame).startsWith("[");

// A tree without scaffolding: its callees become its callers' callees.
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

// The inverted tree of a frame: its callers, their callers and so on. Where the frame is in a stack more than once, the
// innermost is followed outwards; a direct recursive call does not count as a caller.
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
