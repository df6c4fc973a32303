// Binds keys, clicks and controls to actions, and starts the page.

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
  i: () => drawAs(view.flipped === mapShown() ? "flame" : "icicle"),
  m: () => drawAs(heapShown() && !view.map ? "map" : view.flipped ? "flame" : "icicle"),
  f: toggleFunctions,
  d: tellOfFrame,
  s: () => choose({scaffolding: !shown.scaffolding}),
  w: () => chooseWeight((shown.weight + 1) % WEIGHTS.length),
  t: () => byId(heapShown() ? "snapshot" : "thread").focus(),
  l: () => timeCanvas.focus(),
  o: toLists,
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
  if (target === null) return;
  const out = mapShown() && target.node === view.zoomed;
  zoomTo(out ? model.parent[target.node] : target.node);
});
pane.addEventListener("scroll", redraw);
pane.addEventListener("focus", redraw);
pane.addEventListener("blur", redraw);

byId("crumbs").addEventListener("click", (event) => {
  const crumb = event.target.closest("button");
  if (crumb) zoomTo(Number(crumb.dataset.node));
});
for (const id of ["functions", "own", "lists"]) {
  byId(id).addEventListener("click", (event) => {
    const button = event.target.closest("button[data-frame]");
    if (button && Number(button.dataset.frame) >= 0) openMethod(Number(button.dataset.frame));
    if (button && id !== "functions") byId("work").scrollIntoView({block: "end"});
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
for (const kind of ["icicle", "flame", "map"]) byId(kind).addEventListener("click", () => drawAs(kind));
byId("tell").addEventListener("click", () => openMethod(model.frame[view.zoomed]));
byId("reset").addEventListener("click", goBack);
byId("show-functions").addEventListener("click", toggleFunctions);
byId("show-keys").addEventListener("click", () => byId("keys").showModal());
whenResized(pane, () => { setRows(); redraw(); });
// The graph fills the window below the bar, which stays at the top.
whenResized(byId("spent"), () => {
  document.documentElement.style.setProperty("--spent", byId("spent").offsetHeight + "px");
});
darkTheme.addEventListener("change", () => {
  palette = makePalette(darkTheme.matches);
  showTimeLegend();
  drawTimeline();
  showGroups();
  showPanel();
  redraw();
});

byId("empty").textContent = facts.mode === "none"
    ? "The program was not sampled: run it with --sample."
    : "No samples: the program used too little CPU time to be sampled. Use a higher rate, or sample real time.";
showFacts();
startTimeline();
startHeap();
showOwnMethods();
startLists();
showLinked();
