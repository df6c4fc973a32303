// Around the graph: selection of what it shows, breadcrumbs, matches, and details of the frame under the mouse.

const threadName = (thread) => data.threads[thread][0];

function rootLabel() {
  if (heapShown()) {
    const groups = [...shown.groups].map(groupName).join(", ");
    return `Heap in ${snapshotShown().name}${groups === "" ? "" : " · " + groups} · ${weight(model.total[0])}`;
  }
  const parts = [shown.thread < 0 ? "all threads" : threadName(shown.thread)];
  if (shown.callersOf >= 0) parts.unshift("callers of " + briefName(shown.callersOf));
  if (shown.groups.size > 0) parts.push([...shown.groups].map(groupName).join(", "));
  if (shown.range) parts.push(hasTimes() ? rangeText() : "whole run");
  const about = facts.estimated && treeNumber() === WEIGHTS.find(({name}) => name === "bytes").tree;
  return `${parts.join(" · ")} · ${about ? "about " : ""}${weight(model.total[0])}`;
}

function showWeights() {
  byId("weights").replaceChildren(...WEIGHTS.map(({label}, i) => element(
      "button", {type: "button", "data-weight": String(i), "aria-pressed": String(i === shown.weight)}, label)));
  byId("weights").hidden = WEIGHTS.length < 2;
}

// What is only for the heap, and what is not.
function showHeap() {
  const heap = heapShown();
  byId("says").hidden = !heap;
  byId("map").hidden = !heap;
  byId("thread").parentElement.hidden = heap;
  byId("snapshot").parentElement.hidden = !heap || data.heap.snapshots.length < 2;
  for (const id of ["icicle", "flame", "map"]) byId(id).setAttribute("aria-pressed", String(id === drawing()));
  byId("graph").setAttribute("aria-roledescription", mapShown() ? "tree map" : "flame graph");
  byId("graph").setAttribute("aria-label", heap ? "Who holds the heap" : "Call tree");
  byId("show-functions").textContent = heap ? "Types" : "Methods";
  byId("search").placeholder = `Search ${heap ? "types, fields" : "methods"} and modules (regex)`;
  if (!heap) return;
  byId("snapshot").value = String(shown.snapshot);
  const {says, note} = snapshotShown();
  const sentence = says === "" ? [] : [element("strong", {}, says), " "];
  byId("says").replaceChildren(...sentence, element("span", {class: "soft"}, note));
}

const drawing = () => mapShown() ? "map" : view.flipped ? "flame" : "icicle";

function startHeap() {
  const {snapshots, leftOut} = data.heap;
  byId("snapshot").replaceChildren(...snapshots.map(({text}, i) => element("option", {value: String(i)}, text)));
  const more = `${counted(leftOut, "more snapshot")} in the log: oriel report heap --snapshot N`;
  byId("snapshot").title = leftOut === 0 ? "" : more;
  byId("snapshot").addEventListener("change", () => chooseSnapshot(Number(byId("snapshot").value)));
}

function showThreads() {
  const sums = threadWeights(), all = sums.reduce((sum, weight) => sum + weight, 0);
  const order = data.threads.map((_, thread) => thread).filter((thread) => sums[thread] > 0 || thread === shown.thread);
  order.sort((a, b) => sums[b] - sums[a]);
  const count = order.length;
  const options = [element("option", {value: "-1"}, count === 1 ? "All (1 thread)" : `All (${count} threads)`)];
  for (const thread of order) {
    const [name, id] = data.threads[thread];
    const suffix = id && !name.includes(String(id)) ? ` · ${id}` : "";
    options.push(element("option", {value: String(thread)}, `${percent(sums[thread], all)}  ${name}${suffix}`));
  }
  byId("thread").replaceChildren(...options);
  byId("thread").value = String(shown.thread);
}

function showScaffolding() {
  const hidden = heapShown() ? 0 : isServed() ? served.graph.hidden : foldedTree(treeNumber()).hidden;
  const button = byId("scaffolding");
  button.hidden = hidden === 0;
  button.setAttribute("aria-pressed", String(shown.scaffolding));
}

function showCrumbs() {
  const path = [];
  for (let node = view.zoomed; node !== 0; node = model.parent[node]) path.push(node);
  path.push(0);
  path.reverse();
  byId("crumbs").replaceChildren(...path.map((node) => {
    const name = node === 0 ? "All" : nodeName(node);
    const brief = node === 0 || isSmaller(node) ? name : briefName(model.frame[node]);
    const crumb = element("button", {type: "button", "data-node": String(node), title: name}, brief);
    if (node === view.zoomed) crumb.setAttribute("aria-current", "location");
    return element("li", {}, crumb);
  }));
  byId("tell").hidden = view.zoomed === 0;
  byId("reset").hidden = view.zoomed === 0 && shown.callersOf < 0;
  byId("reset").textContent = shown.callersOf < 0 ? "Reset zoom" : "Back to calls";
}

function showMatches() {
  const output = byId("matches");
  output.classList.toggle("literal", search.active && search.literal);
  if (!search.active) {
    output.textContent = "";
    return;
  }
  const {periods, functions, whole = model.total[view.zoomed]} = isServed() ? foundOfAnswer() : matchWeights(view.zoomed);
  const scope = view.zoomed === 0 ? "" : " of zoom";
  output.textContent = functions === 0 ? "no match" :
      `${percent(periods, whole)}${scope} · ${weight(periods)} · ${counted(functions, heapShown() ? "place" : "method")}`;
  output.title = search.literal ? "Not a regular expression: searched as plain text" : "";
}

function foundOfAnswer() {
  const [periods, functions, whole] = served.graph.found;
  return {periods, functions, whole};
}

// What of a tree is not in the page; it goes with what the page shows of this tree.
function showFolded() {
  const of = isServed() || heapShown() ? undefined : data.folded.find(([tree]) => tree === treeNumber());
  byId("folded").hidden = of === undefined;
  if (!of) return;
  const [tree, least, nodes] = of, whole = readTree(tree).entries.columns[0].reduce((sum, part) => sum + part, 0);
  byId("folded").textContent = `To keep this file small, ${counted(nodes, "call path")} with less than ${percent(least, whole)} ` +
      "each are folded into frames named (smaller); oriel view shows all of the log.";
}

// "(smaller)", or with how many callees: "27 smaller ones".
function nodeName(node) {
  const small = smallerOf(node);
  if (!small) return frameName(model.frame[node]);
  return small.callees > 0 ? `(${integer.format(small.callees)} smaller)` : frameName(model.frame[node]);
}

// [label, value] rows about a node.
function detailRows(node) {
  const {total, self} = model;
  const share = (part) => {
    const ofAll = `${percent(part, total[0])} of ${heapShown() ? "the heap" : "all"}`;
    return view.zoomed === 0 ? ofAll : `${ofAll}, ${percent(part, total[view.zoomed])} of zoom`;
  };
  const samples = (part) => weightShown().name === "samples" && weightShown().unit === "time" ? ` · ${counted(part, "sample")}` : "";
  const line = (part) => `${weight(part)} · ${share(part)}${samples(part)}`;
  if (heapShown()) return heldRows(node, line);
  return [["Total", line(total[node])], ["Self", line(self[node])]];
}

function nodeTitle(node) {
  if (node === 0) return rootLabel();
  if (isSmaller(node)) return smallerTitle(node);
  return heapShown() ? heldTitle(node) : frameName(model.frame[node]);
}

function smallerTitle(node) {
  const small = smallerOf(node), above = model.parent[node];
  const whose = above === 0 ? "" : ` of ${frameName(model.frame[above])}`;
  if (!small) return `Callees${whose} too small for this file`;
  const which = small.callees > 0 ? counted(small.callees, "callee") : "Callees";
  return `${which}${whose} with less than ${weight(small.least)} each: zoom in to see them`;
}

// For a screen reader.
function nodeSays(node) {
  if (!heapShown()) return `${nodeTitle(node)}, ${percent(model.total[node], model.total[0])}`;
  const objects = isHeld(node) ? `, ${counted(objectsOf(node), "object")}` : "";
  const share = percent(model.total[node], model.total[0]);
  return `${nodeTitle(node)}: ${weight(model.total[node])} retained, ${share} of the heap${objects}`;
}

// "Shop.dll · managed · your code"
function frameOrigin(frame, group) {
  return [frameModule(frame), KINDS[frameKind(frame)], groupName(group)].filter((text) => text !== "").join(" · ");
}

function nodeOrigin(node) {
  if (node === 0 || isSmaller(node)) return "";
  return frameOrigin(model.frame[node], model.group[node]);
}

function tipContent(target) {
  const {node, rest} = target;
  if (rest) {
    const narrow = (view.high - view.low) * NARROWEST;
    const below = model.children.subarray(model.firstChild[node], model.firstChild[node + 1]);
    let count = 0, sum = 0;
    for (const child of below) {
      if (model.total[child] === 0 || model.total[child] >= narrow) continue;
      count++;
      sum += model.total[child];
    }
    return [element("strong", {}, `${integer.format(count)} ${heapShown() ? "others" : "callees"} too narrow to draw`),
            element("span", {class: "origin"}, `of ${nodeTitle(node)}: ${weight(sum)}. Zoom in to see them.`)];
  }
  const raw = node === 0 ? undefined : rawNames.get(model.frame[node]);
  return [
    element("strong", {}, nodeTitle(node)),
    element("span", {class: "origin"}, nodeOrigin(node)),
    ...(raw === undefined ? [] : [element("code", {}, raw)]),
    element("table", {}, ...detailRows(node).map(
        ([name, value]) => element("tr", {}, element("th", {scope: "row"}, name), element("td", {}, value)))),
  ];
}

function showTip(target, x, y) {
  const tip = byId("tip");
  tip.hidden = target === null;
  if (target === null) return;
  tip.replaceChildren(...tipContent(target));
  placeTip(x, y);
}

// Places the tooltip beside the mouse, within the window.
function placeTip(x, y) {
  const tip = byId("tip");
  const {offsetWidth: width, offsetHeight: height} = tip;
  const left = Math.min(x + 14, window.innerWidth - width - 8);
  const top = y + 18 + height > window.innerHeight - 8 ? y - height - 12 : y + 18;
  tip.style.left = Math.max(8, left) + "px";
  tip.style.top = Math.max(8, top) + "px";
}

function showStatus(node) {
  const status = byId("status");
  if (node < 0) {
    const click = mapShown() ? "Click a rectangle to zoom into it, its heading then to zoom out" : "Click a frame to zoom into it";
    const hint = `${click}; d shows its details, / searches, ? lists the keys.`;
    status.replaceChildren(element("span", {class: "hint"}, hint));
    return;
  }
  const part = (periods) => `${weight(periods)} (${percent(periods, model.total[view.zoomed])})`;
  const values = heapShown() ? `Retains ${part(model.total[node])}` :
      `Total ${part(model.total[node])}   Self ${part(model.self[node])}`;
  status.replaceChildren(element("strong", {}, nodeTitle(node)), element("span", {}, nodeOrigin(node)),
                         element("span", {class: "figures"}, values));
}
