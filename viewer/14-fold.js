// Derived trees: without scaffolding, and inverted from a frame to its callers.

// A tree without scaffolding: its callees become its callers' callees.
function fold(tree) {
  const regrower = new Regrower();
  const kept = new Int32Array(tree.size);
  let hidden = 0;
  for (let i = 1; i < tree.size; i++) {
    const above = kept[tree.parent[i]], frame = tree.frame[i];
    kept[i] = tree.scaffolding[i] ? above : regrower.child(above, frame, tree.group[i]);
    hidden += tree.scaffolding[i];
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
