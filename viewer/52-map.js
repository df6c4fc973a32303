// The tree map: a rectangle for each node, as large as its weight, within that of its parent. Rectangles are squarified
// (Bruls, Huizing, van Wijk, "Squarified Treemaps", 2000), with a heading where there is room.

const HEADING = 18, MARGIN = 2;
const HEADED = [44, 40];      // width and height from which a rectangle has a heading
const SMALLEST = 3;           // pixels a side; smaller rectangles are not drawn
const LINE = 15;              // of text

// Divides a rectangle among weights, descending, so that the parts are as near to squares as can be. Calls `place(index,
// part)` for each.
function squarify(weights, {x, y, width, height}, place) {
  let left = weights.reduce((sum, weight) => sum + weight, 0);
  for (let first = 0; first < weights.length && left > 0;) {
    const along = width < height, side = along ? width : height;
    const area = width * height / left;  // of a unit of weight
    let sum = 0, last = first, worst = Infinity;
    while (last < weights.length) {
      const more = sum + weights[last], breadth = more * area / side;
      const lengths = [weights[first] * area / breadth, weights[last] * area / breadth];
      const ratio = Math.max(...lengths.map((length) => Math.max(length / breadth, breadth / length)));
      if (ratio > worst) break;
      worst = ratio;
      sum = more;
      last++;
    }
    const breadth = sum * area / side;
    let at = along ? x : y;
    for (; first < last; first++) {
      const length = weights[first] * area / breadth;
      if (along) place(first, {x: at, y, width: length, height: breadth});
      else place(first, {x, y: at, width: breadth, height: length});
      at += length;
    }
    left -= sum;
    if (along) [y, height] = [y + breadth, height - breadth];
    else [x, width] = [x + breadth, width - breadth];
  }
}

// The room for what a node holds: below its heading.
function roomWithin({x, y, width, height}) {
  const headed = width >= HEADED[0] && height >= HEADED[1];
  const margin = Math.min(width, height) > 8 * MARGIN ? MARGIN : 0;
  const top = headed ? HEADING : margin;
  return {headed, x: x + margin, y: y + top, width: width - 2 * margin, height: height - top - margin};
}

// Rectangles of the zoomed node and what it holds, parents first: {node, x, y, width, height, headed}. A node's own
// weight, and what is too small to draw, show as a part of it.
function layoutMap(width, height) {
  const {firstChild, children, total} = model;
  const all = [];
  const open = [{node: view.zoomed, x: 0, y: 0, width, height}];
  while (open.length > 0) {
    const box = open.pop(), node = box.node;
    const below = [...children.subarray(firstChild[node], firstChild[node + 1])].filter((child) => total[child] > 0);
    const room = roomWithin(box);
    all.push({...box, headed: room.headed && below.length > 0});
    const own = total[node] - below.reduce((sum, child) => sum + total[child], 0);
    const parts = below.map((child) => [child, total[child]]);
    if (own > 0) parts.push([-1, own]);
    parts.sort((a, b) => b[1] - a[1]);
    if (below.length === 0 || room.width < SMALLEST || room.height < SMALLEST) continue;
    squarify(parts.map((part) => part[1]), room, (i, place) => {
      const child = parts[i][0];
      if (child >= 0 && place.width >= SMALLEST && place.height >= SMALLEST) open.push({node: child, ...place});
    });
  }
  return all;
}

// The layout on the screen, made anew where the model, the zoom or the size changed.
const mapBoxes = (() => {
  const made = {model: null, zoomed: -1, width: 0, height: 0, weight: 0, boxes: []};
  return () => {
    const {clientWidth: width, clientHeight: height} = pane;
    const now = {model, zoomed: view.zoomed, width, height, weight: model.total[0]};
    if (Object.keys(now).some((key) => made[key] !== now[key])) Object.assign(made, now, {boxes: layoutMap(width, height)});
    return made.boxes;
  };
})();

function drawBox({node, x, y, width, height, headed}, colors) {
  const leaf = !headed;
  const dim = search.found && !isMatch(node);
  pen.fillStyle = colors.panel;
  pen.fillRect(x, y, width, height);
  pen.globalAlpha = dim ? colors.dimmed : 1;
  pen.fillStyle = node === 0 ? colors.root : frameColor(model.frame[node], model.group[node]);
  const gap = Math.min(width, height) > 6 ? 1 : 0.5;
  pen.fillRect(x, y, width - gap, height - gap);
  pen.globalAlpha = 1;
  const room = width - 9;
  if (room < 14 || height < LINE) return;
  pen.fillStyle = dim ? colors.dimText : node === 0 ? colors.rootText : colors.text;
  const size = weight(model.total[node]), sizeWidth = measure(size);
  // In a heading the size follows the name; in a leaf it stands below it.
  const beside = headed && node !== 0 && room - sizeWidth - 12 > 60;
  const forLabel = beside ? room - sizeWidth - 12 : room;
  const label = node === 0 ? fitName(rootLabel(), forLabel, measure) : fitLabel(node, forLabel);
  pen.fillText(label, x + 4, y + (headed ? HEADING : LINE + 4) / 2);
  if (beside) pen.fillText(size, x + width - sizeWidth - 6, y + HEADING / 2);
  if (leaf && height >= 2 * LINE + 4 && sizeWidth <= room) pen.fillText(size, x + 4, y + LINE * 1.5 + 4);
}

function drawMap(colors) {
  const boxes = mapBoxes();
  for (const box of boxes) drawBox(box, colors);
  const outline = (node, lineWidth) => {
    const box = boxes.find((one) => one.node === node);
    if (!box) return;
    pen.strokeStyle = colors.outline;
    pen.lineWidth = lineWidth;
    const inset = lineWidth / 2, side = (length) => Math.max(1, length - 1 - lineWidth);
    pen.strokeRect(box.x + inset, box.y + inset, side(box.width), side(box.height));
  };
  if (view.hovered >= 0) outline(view.hovered, 1);
  if (view.focused >= 0 && document.activeElement === pane) outline(view.focused, 2);
}

// Where the focus can go: in a tree map, to what is drawn.
const isDrawn = (node) => !mapShown() || mapBoxes().some((box) => box.node === node);

// What is at a point of the pane: the innermost rectangle.
function hitMap(clientX, clientY) {
  const area = pane.getBoundingClientRect();
  const x = clientX - area.left, y = clientY - area.top + pane.scrollTop;
  const boxes = mapBoxes();
  for (let i = boxes.length - 1; i >= 0; i--) {
    const {node, x: left, y: top, width, height} = boxes[i];
    if (x >= left && x < left + width && y >= top && y < top + height) return {node, rest: false};
  }
  return null;
}
