// Snapshots of the heap: who holds objects, and what changed since the first one.

const places = new Map(data.heap.places);

// Of a frame of objects: by which field the holder refers to them, "" if not known; and their type.
const heldBy = (frame) => places.get(frame) || "";
const heldType = (frame) => heldBy(frame) === "" ? frameName(frame) : frameName(frame).slice(heldBy(frame).length + 2);

const isHeld = (node) => node > 0 && frameKind(model.frame[node]) === OBJECT_KIND;
const objectsOf = (node) => node === 0 ? 0 : snapshotShown().objects[node - 1];
const isRest = (node) => node > 0 && !isHeld(node) && objectsOf(node) > 0;
const isChain = (node) => snapshotShown().chains.includes(node);

// "Shop.Cart._lines", "Shop.Line[]", "Entry[].value" (src/report/memory/heap_data.h, with_place).
function withPlace(type, place) {
  if (!place.startsWith("[]")) return place.includes(" ") ? `${type}, ${place}` : `${type}.${place}`;
  return type.endsWith("[]") ? type + place.slice(2) : type + place;
}

// " in static Shop.Cache.Orders", " in Shop.Cart._lines"; of what several roots hold, nothing.
function holderText(node) {
  const above = model.parent[node], place = heldBy(model.frame[node]);
  if (above === 0) return " held by several roots";
  if (!isHeld(above)) return ` in ${frameName(model.frame[above])}`;
  const type = heldType(model.frame[above]);
  return place === "" ? ` below ${type}` : ` in ${withPlace(type, place)}`;
}

// "1,204 × Shop.Order in Shop.Cart._lines"
function heldTitle(node) {
  const objects = objectsOf(node);
  const above = model.parent[node];
  if (isRest(node)) return counted(objects, "other") + (above === 0 ? "" : " in " + heldType(model.frame[above]));
  if (!isHeld(node)) return frameName(model.frame[node]);
  return countText(node) + heldType(model.frame[node]) + holderText(node);
}

// What stands before a name: "1,204 × ".
const countText = (node) => heapShown() && isHeld(node) && objectsOf(node) > 1 ? integer.format(objectsOf(node)) + " × " : "";

// Numbers of paths of frames from the root, the same in all trees; and by path the node, -1 if it has several.
const heapPaths = (() => {
  const numbers = new Map(), known = [];
  return (snapshot) => {
    if (known[snapshot]) return known[snapshot];
    const {size, parent, frame} = readTree(data.heap.snapshots[snapshot].tree);
    const path = new Int32Array(size), node = new Map([[0, 0]]);
    for (let i = 1; i < size; i++) {
      const key = `${path[parent[i]]}/${frame[i]}`;
      if (!numbers.has(key)) numbers.set(key, numbers.size + 1);
      path[i] = numbers.get(key);
      node.set(path[i], node.has(path[i]) ? -1 : i);
    }
    return known[snapshot] = {path, node};
  };
})();

// The node of another snapshot on the same path; undefined if there is none, -1 if it cannot be told.
function nodeIn(snapshot, node) {
  const here = heapPaths(shown.snapshot);
  const number = here.path[node];
  return here.node.get(number) < 0 ? -1 : heapPaths(snapshot).node.get(number);
}

const retainedIn = (() => {
  const known = [];
  return (snapshot) => {
    if (known[snapshot]) return known[snapshot];
    const {size, parent, entries} = readTree(data.heap.snapshots[snapshot].tree);
    const total = new Float64Array(size);
    entries.place.forEach((node, i) => { total[node] += entries.columns[0][i]; });
    for (let i = size - 1; i > 0; i--) total[parent[i]] += total[i];
    return known[snapshot] = total;
  };
})();

// "+3.20 MB, +204 objects" since the first snapshot; "" if not known.
function growthText(node) {
  const before = nodeIn(0, node);
  if (shown.snapshot === 0 || before === -1 || isRest(node)) return "";
  if (before === undefined) return `not there then, or less than ${byteText(data.heap.snapshots[0].least)}`;
  const signed = (value, text) => (value < 0 ? "-" : "+") + text(Math.abs(value));
  const bytes = retainedIn(shown.snapshot)[node] - retainedIn(0)[before];
  const objects = objectsOf(node) - (before === 0 ? 0 : data.heap.snapshots[0].objects[before - 1]);
  if (bytes === 0 && objects === 0) return "as much";
  return signed(bytes, byteText) + (objects === 0 ? "" : `, ${signed(objects, (value) => counted(value, "object"))}`);
}

function heldRows(node, line) {
  const objects = objectsOf(node), growth = growthText(node);
  const chain = isChain(node) ? ", one after another" : "";
  return [["Retains", line(model.total[node])],
          ...(node === 0 || isRest(node) || !isHeld(node) ? [] : [[objects > 1 ? "Themselves" : "Itself", weight(model.self[node])]]),
          ...(isHeld(node) ? [["Objects", integer.format(objects) + chain]] : []),
          ...(isRest(node) ? [["Each", `less than ${byteText(snapshotShown().least)}, or deep below`]] : []),
          ...(growth === "" ? [] : [[`Since ${data.heap.snapshots[0].name}`, growth]])];
}
