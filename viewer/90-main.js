// What the mouse, the keys and the controls do.

function refreshPanels() {
  showCrumbs();
  showGroups();
  showMatches();
  showPanel();
  // Where one is matters more than where one came from.
  byId("crumbs").scrollLeft = byId("crumbs").scrollWidth;
}

function zoomTo(node, animate = true) {
  view.zoomed = node;
  view.focused = node;
  // The panel goes along where it tells of a method.
  if (panel.method >= 0 && node > 0) panel.method = model.frame[node];
  moveTo(model.start[node], model.start[node] + model.total[node], animate);
  refreshPanels();
  scrollToRow(node);
  showTip(null);
  showStatus(node === 0 ? -1 : node);
}

// After what is counted has changed. What is zoomed into stays where the tree does, and has some of it.
function showAnew() {
  const before = {calls, callersOf: view.callersOf};
  makeModel();
  view.callersOf = shown.callersOf;
  const same = before.calls === calls && before.callersOf === shown.callersOf && model.total[view.zoomed] > 0;
  byId("empty").hidden = model.total[0] > 0;
  view.hovered = -1;
  showWeights();
  showThreads();
  showScaffolding();
  zoomTo(same ? view.zoomed : 0, false);
  if (!same) pane.scrollTop = view.flipped ? view.height : 0;
}

function choose(changes) {
  Object.assign(shown, changes);
  showAnew();
}

function chooseWeight(number) {
  const other = WEIGHTS[number].tree !== weightShown().tree;
  // Another tree has other threads and other frames.
  choose(other ? {weight: number, thread: -1, groups: new Set(), callersOf: -1} : {weight: number});
}

// Counts a group alone, with `more` together with those that are counted; what is counted already, no more.
function toggleGroup(group, more) {
  const groups = new Set(more ? shown.groups : []);
  if (shown.groups.has(group)) groups.delete(group);
  else groups.add(group);
  choose({groups});
}

function setFlipped(flipped) {
  view.flipped = flipped;
  byId("flame").setAttribute("aria-pressed", String(flipped));
  byId("icicle").setAttribute("aria-pressed", String(!flipped));
  setRows();
  pane.scrollTop = flipped ? view.height : 0;
  scrollToRow(view.zoomed);
  redraw();
}

function toggleFunctions() {
  byId("functions").hidden = !byId("functions").hidden;
  panel.method = -1;
  showPanel();
}

function tellOfFrame() {
  const node = view.focused > 0 ? view.focused : view.zoomed;
  if (node > 0) openMethod(model.frame[node]);
}

function findMethod(frame) {
  byId("search").value = "^" + escapeRegex(frameName(frame)) + "$";
  applySearch();
}

// Back from callers, or from the zoom.
function goBack() {
  if (shown.callersOf >= 0) choose({callersOf: -1});
  else zoomTo(0);
}

function applySearch() {
  setSearch(byId("search").value);
  showMatches();
  showPanel();
  redraw();
}

function focusNode(node) {
  view.focused = node;
  scrollToRow(node);
  showStatus(node);
  byId("live").textContent = `${nodeTitle(node)}, ${percent(model.total[node], model.total[0])}`;
  redraw();
}

function moveFocus(key) {
  const {parent, firstChild, children, total} = model;
  const node = view.focused < 0 ? view.zoomed : view.focused;
  const towardCallee = key === (view.flipped ? "ArrowUp" : "ArrowDown");
  if (key === "ArrowUp" || key === "ArrowDown") {
    const heaviest = firstChild[node] < firstChild[node + 1] ? children[firstChild[node]] : node;
    const next = towardCallee ? heaviest : parent[node];
    return total[next] > 0 ? next : node;
  }
  const siblings = children.subarray(firstChild[parent[node]], firstChild[parent[node] + 1]);
  const next = siblings[siblings.indexOf(node) + (key === "ArrowLeft" ? -1 : 1)];
  return node === 0 || next === undefined || total[next] === 0 ? node : next;
}

function nextMatch(step) {
  const {nodes} = matchWeights(view.zoomed);
  if (nodes.length === 0) return;
  const at = nodes.indexOf(view.focused);
  const next = at < 0 ? (step > 0 ? 0 : nodes.length - 1) : (at + step + nodes.length) % nodes.length;
  focusNode(nodes[next]);
}

const graphKeys = {
  Enter: () => zoomTo(Math.max(0, view.focused)),
  " ": () => zoomTo(Math.max(0, view.focused)),
  Backspace: () => zoomTo(model.parent[view.zoomed]),
  Home: () => focusNode(view.zoomed),
  ArrowUp: () => focusNode(moveFocus("ArrowUp")),
  ArrowDown: () => focusNode(moveFocus("ArrowDown")),
  ArrowLeft: () => focusNode(moveFocus("ArrowLeft")),
  ArrowRight: () => focusNode(moveFocus("ArrowRight")),
};

const pageKeys = {
  Escape: goBack,
  "/": () => byId("search").select(),
  n: () => nextMatch(1),
  N: () => nextMatch(-1),
  i: () => setFlipped(!view.flipped),
  f: toggleFunctions,
  d: tellOfFrame,
  s: () => choose({scaffolding: !shown.scaffolding}),
  w: () => chooseWeight((shown.weight + 1) % WEIGHTS.length),
  t: () => byId("thread").focus(),
  "?": () => byId("keys").showModal(),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("keys").open) return;
  const inField = event.target.matches("input, select");
  if (event.target === byId("search") && event.key === "Escape" && byId("search").value !== "") {
    byId("search").value = "";
    applySearch();
    event.preventDefault();
    return;
  }
  if (event.target === byId("search") && event.key === "Enter") {
    nextMatch(event.shiftKey ? -1 : 1);
    return;
  }
  if (inField && event.key !== "Escape") return;
  const action = (event.target === pane && graphKeys[event.key]) || pageKeys[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});

pane.addEventListener("mousemove", (event) => {
  const target = hit(event.clientX, event.clientY);
  const node = target === null ? -1 : target.node;
  pane.style.cursor = target === null ? "default" : "pointer";
  showTip(target, event.clientX, event.clientY);
  if (node === view.hovered) return;
  view.hovered = node;
  showStatus(node);
  redraw();
});
pane.addEventListener("mouseleave", () => {
  view.hovered = -1;
  showTip(null);
  showStatus(view.focused > 0 ? view.focused : -1);
  redraw();
});
pane.addEventListener("click", (event) => {
  const target = hit(event.clientX, event.clientY);
  if (target !== null) zoomTo(target.node);
});
pane.addEventListener("scroll", redraw);
pane.addEventListener("focus", redraw);
pane.addEventListener("blur", redraw);

byId("crumbs").addEventListener("click", (event) => {
  const crumb = event.target.closest("button");
  if (crumb) zoomTo(Number(crumb.dataset.node));
});
for (const id of ["functions", "own"]) {
  byId(id).addEventListener("click", (event) => {
    const button = event.target.closest("button[data-frame]");
    if (button && Number(button.dataset.frame) >= 0) openMethod(Number(button.dataset.frame));
    if (button && id === "own") byId("work").scrollIntoView({block: "end"});
  });
}
byId("method").addEventListener("click", (event) => {
  if (event.target.id === "find-method") findMethod(panel.method);
  if (event.target.id === "graph-callers") choose({callersOf: panel.method});
});
byId("all-methods").addEventListener("click", () => { panel.method = -1; showPanel(); });
byId("close-panel").addEventListener("click", () => { byId("functions").hidden = true; showPanel(); });
for (const [id, other] of [["by-self", "by-total"], ["by-total", "by-self"]]) {
  byId(id).addEventListener("click", () => {
    byId(id).setAttribute("aria-pressed", "true");
    byId(other).setAttribute("aria-pressed", "false");
    showPanel();
  });
}
byId("search").addEventListener("input", applySearch);
byId("thread").addEventListener("change", () => choose({thread: Number(byId("thread").value)}));
byId("weights").addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button) chooseWeight(Number(button.dataset.weight));
});
byId("spent").addEventListener("click", (event) => {
  const part = event.target.closest("[data-group]");
  if (part) toggleGroup(Number(part.dataset.group), event.shiftKey || event.ctrlKey || event.metaKey);
  if (event.target.id === "no-group") choose({groups: new Set()});
  if (event.target.id === "more-groups") {
    allGroups = !allGroups;
    showGroups();
  }
});
byId("scaffolding").addEventListener("click", () => choose({scaffolding: !shown.scaffolding}));
byId("icicle").addEventListener("click", () => setFlipped(false));
byId("flame").addEventListener("click", () => setFlipped(true));
byId("tell").addEventListener("click", () => openMethod(model.frame[view.zoomed]));
byId("reset").addEventListener("click", goBack);
byId("show-functions").addEventListener("click", toggleFunctions);
byId("show-keys").addEventListener("click", () => byId("keys").showModal());
new ResizeObserver(() => { setRows(); redraw(); }).observe(pane);
// The graph takes what the window has below the bar, which stays on top.
new ResizeObserver(() => {
  document.documentElement.style.setProperty("--spent", byId("spent").offsetHeight + "px");
}).observe(byId("spent"));
darkTheme.addEventListener("change", () => {
  palette = makePalette(darkTheme.matches);
  showGroups();
  showPanel();
  redraw();
});

byId("empty").textContent = facts.mode === "none"
    ? "The program was not sampled: run it with --sample."
    : "No samples: the program used too little CPU time to be sampled. Sample it more often, or its elapsed time.";
showFacts();
showOwnMethods();
showAnew();
