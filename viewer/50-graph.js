// The graph: a canvas as large as its pane, redrawn for each change; the pane scrolls an empty element of full height.

const ROW = 21;
const NARROWEST = 1 / 5000;  // fraction of the graph's width; narrower siblings are merged into one block

const pane = document.getElementById("graph");
const space = document.getElementById("space");
const canvas = document.getElementById("canvas");
const pen = canvas.getContext("2d");

const view = {
  flipped: false,      // flame: callers at the bottom
  map: false,          // a tree map instead, of the heap
  zoomed: 0,           // node
  callersOf: -1,       // as in `shown`, for the current model
  focused: -1,         // node with keyboard focus
  hovered: -1,
  low: 0, high: 1,     // visible range in the root's periods, now
  goal: [0, 1],        // visible range at the end of the animation
  height: 0,           // of all rows, at least of the pane
  frameRequest: 0,
};

const measure = (() => {
  const widths = new Map();
  return (text) => {
    let width = widths.get(text);
    if (width === undefined) {
      width = pen.measureText(text).width;
      if (widths.size > 50000) widths.clear();
      widths.set(text, width);
    }
    return width;
  };
})();

const mapShown = () => view.map && heapShown() && shown.callersOf < 0;
const rowTop = (depth) => view.flipped ? view.height - (depth + 1) * ROW : depth * ROW;
const rowAt = (y) => Math.floor((view.flipped ? view.height - y : y) / ROW);

// Calls `visit(node)` for each node worth drawing between low and high, callers first. Calls `skip(first, from, to)`
// for trailing siblings from `first` that are too narrow; siblings are sorted by weight.
function eachVisible(low, high, deepest, visit, skip) {
  const {firstChild, children, start, total, depth} = model;
  const narrowest = (high - low) * NARROWEST;
  const open = [0];
  while (open.length > 0) {
    const node = open.pop();
    visit(node);
    if (depth[node] >= deepest) continue;
    for (let i = firstChild[node]; i < firstChild[node + 1]; i++) {
      const child = children[i];
      if (start[child] >= high || total[child] === 0) break;
      if (total[child] < narrowest) {
        const last = children[firstChild[node + 1] - 1];
        skip(child, start[child], start[last] + total[last]);
        break;
      }
      if (start[child] + total[child] > low) open.push(child);
    }
  }
}

function countRows(low, high) {
  let deepest = 0;
  eachVisible(low, high, Infinity, (node) => { deepest = Math.max(deepest, model.depth[node]); }, (node) => {
    deepest = Math.max(deepest, model.depth[node]);
  });
  return deepest + 1;
}

function fitCanvas() {
  const ratio = window.devicePixelRatio || 1;
  const width = pane.clientWidth, height = pane.clientHeight;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.width = width + "px";
    canvas.style.height = height + "px";
  }
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.font = "12px " + getComputedStyle(document.body).fontFamily;
  pen.textBaseline = "middle";
  return {width, height};
}

// A node's name as it fits; how many objects it stands for only where there is room for that and for all of a type.
function fitLabel(node, room) {
  const name = nodeName(node), count = countText(node);
  const rest = count === "" ? "" : fitName(name, room - measure(count), measure);
  return rest === "" || rest.endsWith("…") ? fitName(name, room, measure) : count + rest;
}

function drawFrame(node, x, y, width, colors) {
  const isRoot = node === 0;
  const frame = model.frame[node];
  const above = node !== view.zoomed && model.start[node] <= view.goal[0] &&
      model.start[node] + model.total[node] >= view.goal[1] && model.depth[node] < model.depth[view.zoomed];
  const dim = search.found ? !isMatch(node) : above;
  pen.globalAlpha = dim ? colors.dimmed : 1;
  pen.fillStyle = isRoot ? colors.root : frameColor(frame, model.group[node]);
  const gap = width > 6 ? 1 : width > 2 ? 0.5 : 0;
  pen.fillRect(x, y, width - gap, ROW - 1);
  pen.globalAlpha = 1;
  const focused = node === view.focused && document.activeElement === pane;
  if (focused || node === view.hovered) {
    pen.strokeStyle = colors.outline;
    pen.lineWidth = focused ? 2 : 1;
    const inset = pen.lineWidth / 2;
    pen.strokeRect(x + inset, y + inset, Math.max(1, width - 1 - 2 * inset), ROW - 1 - 2 * inset);
  }
  const room = width - 9;
  if (room < 14) return;
  const label = isRoot ? rootLabel() : fitLabel(node, room);
  if (label === "" || (isRoot && measure(label) > room)) return;
  pen.fillStyle = dim ? colors.dimText : isRoot ? colors.rootText : colors.text;
  pen.fillText(label, x + 4, y + ROW / 2);
}

function draw() {
  view.frameRequest = 0;
  const {width, height} = fitCanvas();
  pen.clearRect(0, 0, width, height);
  if (model.total[0] === 0) return;
  const colors = {
    root: themeColor("--root"), text: themeColor("--frame-text"), rootText: themeColor("--root-text"), dimText: themeColor("--frame-dim-text"),
    panel: themeColor("--panel"), outline: themeColor("--text"), rest: themeColor("--rest"), dimmed: Number(themeColor("--dimmed")),
  };
  if (mapShown()) return drawMap(colors);
  const {low, high} = view, scale = width / (high - low), top = pane.scrollTop;
  const edge = view.flipped ? rowAt(top) : rowAt(top + height);
  const place = (from, to) => {
    const x = Math.max(0, (from - low) * scale);
    return [x, Math.min(width, (to - low) * scale) - x];
  };
  const hidden = (depth) => rowTop(depth) + ROW < top || rowTop(depth) > top + height;
  eachVisible(low, high, edge, (node) => {
    if (hidden(model.depth[node])) return;
    const [x, w] = place(model.start[node], model.start[node] + model.total[node]);
    drawFrame(node, x, rowTop(model.depth[node]) - top, w, colors);
  }, (first, from, to) => {
    if (hidden(model.depth[first])) return;
    const [x, w] = place(from, to);
    if (w < 0.5) return;
    pen.fillStyle = colors.rest;
    pen.fillRect(x, rowTop(model.depth[first]) - top, w, ROW - 1);
  });
}

function redraw() {
  if (view.frameRequest === 0) view.frameRequest = requestAnimationFrame(draw);
}

// Makes room in the pane for all rows of the new view; keeps the position of callers.
function setRows() {
  const fromBottom = view.height - pane.scrollTop;
  const rows = mapShown() ? 0 : countRows(view.goal[0], view.goal[1]);
  view.height = Math.max(rows * ROW, pane.clientHeight);
  space.style.height = view.height + "px";
  if (view.flipped) pane.scrollTop = view.height - fromBottom;
}

function moveTo(low, high, animate) {
  view.goal = [low, high];
  setRows();
  const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (!animate || still || mapShown()) {
    [view.low, view.high] = view.goal;
    redraw();
    return;
  }
  const from = [view.low, view.high], begun = performance.now(), goal = view.goal, lasts = 180;
  const step = () => {
    if (view.goal !== goal) return;  // a later move replaced this one
    const done = Math.min(1, (performance.now() - begun) / lasts), eased = 1 - (1 - done) ** 3;
    view.low = from[0] + (goal[0] - from[0]) * eased;
    view.high = from[1] + (goal[1] - from[1]) * eased;
    draw();
    if (done < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

function scrollToRow(node) {
  if (mapShown()) return;
  const y = rowTop(model.depth[node]);
  if (y < pane.scrollTop + ROW) pane.scrollTop = Math.max(0, y - 2 * ROW);
  else if (y + 2 * ROW > pane.scrollTop + pane.clientHeight) pane.scrollTop = y + 3 * ROW - pane.clientHeight;
}

// What is at a point of the pane: {node}, or {node, rest} for merged callees of `node`.
function hit(clientX, clientY) {
  if (mapShown()) return hitMap(clientX, clientY);
  const box = pane.getBoundingClientRect();
  const depth = rowAt(clientY - box.top + pane.scrollTop);
  const at = view.low + (clientX - box.left) / pane.clientWidth * (view.high - view.low);
  const {firstChild, children, start, total} = model;
  const narrowest = (view.high - view.low) * NARROWEST;
  let node = 0;
  if (depth < 0 || at < 0 || at >= total[0]) return null;
  for (let row = 0; row < depth; row++) {
    let low = firstChild[node], high = firstChild[node + 1];
    while (low < high) {  // binary search for the first child that ends after the point
      const middle = (low + high) >> 1;
      const child = children[middle];
      if (start[child] + total[child] > at) high = middle;
      else low = middle + 1;
    }
    if (low === firstChild[node + 1]) return null;
    const child = children[low];
    if (total[child] < narrowest) return row + 1 === depth ? {node, rest: true} : null;
    node = child;
  }
  return {node, rest: false};
}
