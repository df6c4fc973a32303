// User actions.

function refreshPanels() {
  showCrumbs();
  showGroups();
  showMatches();
  showPanel();
  // The end of the path matters more than its start.
  byId("crumbs").scrollLeft = byId("crumbs").scrollWidth;
}

function zoomTo(node, animate = true) {
  showZoom(node, animate);
  if (isServed()) return askAgain(wayTo(node));
}

function showZoom(node, animate) {
  view.zoomed = node;
  view.focused = node;
  // The panel follows, if it shows a method.
  if (panel.method >= 0 && node > 0 && !isSmaller(node)) panel.method = model.frame[node];
  moveTo(model.start[node], model.start[node] + model.total[node], animate);
  refreshPanels();
  scrollToRow(node);
  showTip(null);
  showStatus(node === 0 ? -1 : node);
  keepLink();
}

// After a change of what is counted.
function showAnew() {
  if (!isServed()) return showModel();
  served.isStale = true;
  return askAgain(view.callersOf === shown.callersOf ? wayTo(view.zoomed) : []);
}

// Asks for what is selected and zoomed into. Where only the zoom or the search changed, what is drawn stays in place.
async function askAgain(way) {
  const focused = wayTo(Math.max(0, view.focused));
  const graph = await askForGraph(way);
  if (graph === null) return;
  served.graph = graph;
  if (served.isStale) {
    served.isStale = false;
    showModel();
    showZoom(nodeAt(way), false);
    return;
  }
  makeModel();
  view.zoomed = nodeAt(way);
  view.focused = nodeAt(focused);
  view.hovered = -1;
  moveTo(model.start[view.zoomed], model.start[view.zoomed] + model.total[view.zoomed], false);
  refreshPanels();
}

// Keeps the zoom if the tree is the same and the node still has weight.
function showModel() {
  const before = {calls, callersOf: view.callersOf};
  makeModel();
  view.callersOf = shown.callersOf;
  const same = before.calls === calls && before.callersOf === shown.callersOf && model.total[view.zoomed] > 0;
  byId("empty").hidden = model.total[0] > 0;
  view.hovered = -1;
  showWeights();
  showThreads();
  showScaffolding();
  showHeap();
  showFolded();
  showTimeline();
  refreshLists();
  showZoom(same ? view.zoomed : 0, false);
  if (!same) pane.scrollTop = view.flipped ? view.height : 0;
}

function choose(changes) {
  Object.assign(shown, changes);
  return showAnew();
}

function chooseWeight(number) {
  if (WEIGHTS[number].tree !== weightShown().tree) view.zoomed = 0;
  const other = WEIGHTS[number].tree !== weightShown().tree;
  // Another tree has other threads and frames.
  choose(other ? {weight: number, thread: -1, groups: new Set(), callersOf: -1} : {weight: number});
}

// Keeps the zoom where the other snapshot has the same path.
function chooseSnapshot(number) {
  const zoomed = nodeIn(number, view.zoomed);
  choose({snapshot: number});
  if (zoomed > 0) zoomTo(zoomed, false);
}

// Selects only this group, or with `more` adds it to the selection; deselects a selected one.
function toggleGroup(group, more) {
  const groups = new Set(more ? shown.groups : []);
  if (shown.groups.has(group)) groups.delete(group);
  else groups.add(group);
  choose({groups});
}

// "icicle", "flame" or, of the heap, "map".
function drawAs(kind) {
  view.map = kind === "map";
  if (!view.map) view.flipped = kind === "flame";
  view.hovered = -1;
  showHeap();
  showTip(null);
  moveTo(model.start[view.zoomed], model.start[view.zoomed] + model.total[view.zoomed], false);
  pane.scrollTop = view.flipped && !view.map ? view.height : 0;
  scrollToRow(view.zoomed);
  showStatus(view.zoomed === 0 ? -1 : view.zoomed);
  keepLink();
  redraw();
}

function toggleFunctions() {
  byId("functions").hidden = !byId("functions").hidden;
  panel.method = -1;
  showPanel();
}

function tellOfFrame() {
  const node = view.focused > 0 ? view.focused : view.zoomed;
  if (node > 0 && !isSmaller(node)) openMethod(model.frame[node]);
}

function findMethod(frame) {
  byId("search").value = "^" + escapeRegex(frameName(frame)) + "$";
  applySearch();
}

// Goes back from callers, from the zoom, or from a time range.
function goBack() {
  if (shown.callersOf >= 0) choose({callersOf: -1});
  else if (view.zoomed === 0 && shown.range) choose(WHOLE_RUN);
  else zoomTo(0);
}

function applySearch() {
  setSearch(byId("search").value);
  showMatches();
  showPanel();
  keepLink();
  redraw();
  if (isServed() && search.active) searchAll(byId("search").value);
}

// The server has frames that the page has not seen yet, and knows how much they weigh.
async function searchAll(text) {
  await new Promise((resolve) => setTimeout(resolve, 150));
  if (byId("search").value !== text) return;
  if (!served.hasNames) {
    const names = await answerTo("names.json", selectionWords());
    if (!names) return;
    addFrames(names);
    served.hasNames = true;
  }
  if (byId("search").value !== text || !isServed()) return;
  setSearch(text);
  await askAgain(wayTo(view.zoomed));
}

function focusNode(node) {
  view.focused = node;
  scrollToRow(node);
  showStatus(node);
  byId("live").textContent = nodeSays(node);
  redraw();
}

function moveFocus(key) {
  const {parent, firstChild, children, total} = model;
  const node = view.focused < 0 ? view.zoomed : view.focused;
  const towardCallee = key === (view.flipped && !mapShown() ? "ArrowUp" : "ArrowDown");
  if (key === "ArrowUp" || key === "ArrowDown") {
    const heaviest = firstChild[node] < firstChild[node + 1] ? children[firstChild[node]] : node;
    const next = towardCallee ? heaviest : parent[node];
    return total[next] > 0 && isDrawn(next) ? next : node;
  }
  const siblings = children.subarray(firstChild[parent[node]], firstChild[parent[node] + 1]);
  const next = siblings[siblings.indexOf(node) + (key === "ArrowLeft" ? -1 : 1)];
  return node === 0 || next === undefined || total[next] === 0 || !isDrawn(next) ? node : next;
}

function nextMatch(step) {
  const {nodes} = matchWeights(view.zoomed);
  if (nodes.length === 0) return;
  const at = nodes.indexOf(view.focused);
  const next = at < 0 ? (step > 0 ? 0 : nodes.length - 1) : (at + step + nodes.length) % nodes.length;
  focusNode(nodes[next]);
}
