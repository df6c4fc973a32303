// Tooltips of the timeline, and selection of a time range.

function rangeText() {
  if (!shown.range) return "";
  const [low, high] = shown.range.map((part) => time.begin + part * partNs);
  return `${duration(low)} to ${duration(high)}`;
}

// A file has the weights of whole parts of the run; a server has all times.
const SHORTEST = facts.served ? 0.01 : 1;
const inParts = (length) => facts.served ? length : Math.floor(length);

const WHOLE_RUN = {range: null, marks: ["", ""]};

function setRange(low, high, marks = WHOLE_RUN.marks) {
  const from = Math.max(0, Math.min(low, time.parts - SHORTEST)), to = Math.min(time.parts, Math.max(high, from + SHORTEST));
  choose({range: from === 0 && to === time.parts ? null : [from, to], marks});
}

// Keyboard commands: step left or right, half or double the range.
function moveRange(key) {
  const [low, high] = shown.range || [0, time.parts];
  const length = high - low, step = Math.max(SHORTEST, inParts(length / 8));
  if (key === "ArrowLeft" || key === "ArrowRight") {
    const by = key === "ArrowLeft" ? -Math.min(step, low) : Math.min(step, time.parts - high);
    return setRange(low + by, high + by);
  }
  const change = key === "ArrowUp" ? -inParts(length / 4) : Math.max(SHORTEST, inParts(length / 2));
  setRange(low - change, high + change);
}

const MARK_REACH = 4;  // pixels
const overlaps = (start, ns, from, to) => start < to && start + ns > from;

// The parts of the run between two marks; "" stands for the run's begin and end.
function rangeOfMarks(marks) {
  const [low, high] = marks.map((mark) => mark === "" ? null : (time.marks[Number(mark)][0] - time.begin) / partNs);
  const from = low ?? 0, to = high ?? time.parts;
  return facts.served ? [from, to] : [Math.floor(from), Math.ceil(to)];
}

function chooseMarks() {
  const marks = [byId("from-mark").value, byId("to-mark").value];
  setRange(...rangeOfMarks(marks), marks);
}

// The lists of marks show nothing of a range that was chosen by other means.
function showMarks() {
  [byId("from-mark").value, byId("to-mark").value] = shown.marks;
}

// Rows about what is at a point, the first as a title.
function timeDetails(x, y) {
  const {requestsAt, lanesAt, chartAt} = timeLayout();
  const part = partAt(x), from = time.begin + part * partNs, to = from + partNs;
  const rows = [`${duration(from)} to ${duration(to)}`];
  const at = timeAt(x), slack = partNs / 2;
  for (const [when, text] of time.marks)
    if (Math.abs(timeX(when) - x) <= MARK_REACH) rows.push(`marked at ${duration(when)}: ${text}`);
  if (y >= requestsAt && y < lanesAt) {
    const row = Math.floor((y - requestsAt) / REQUEST);
    for (const request of requests.filter((one) => one.row === row && overlaps(one.start, one.ns, at - slack / 4, at + slack / 4)).slice(0, 5))
      rows.push(`${time.requests.names[request.name]}: ${duration(request.ns)}${request.failed ? ", failed" : ""}`);
  }
  const lane = lanesShown()[Math.floor((y - lanesAt) / LANE)];
  if (lane && y >= lanesAt) {
    rows.push(threadName(lane.thread));
    if (lane.ran[part] > 0) rows.push(`ran about ${10 * lane.ran[part]} % of this time`);
    if (lane.waits[part] >= 0) {
      const [, what, where] = time.waits[lane.waits[part]];
      rows.push(`waited for ${what}${where ? " in " + where : ""}`);
    }
    for (const [thread, start, ns, type, owner] of time.locks)
      if (thread === lane.thread && overlaps(start, ns, from, to)) {
        rows.push(`${duration(ns)} for ${type}${owner >= 0 ? ", held by " + threadName(owner) : ""}`);
        break;
      }
  }
  for (const [start, ns] of time.pauses)
    if (overlaps(start, ns, at - slack / 2, at + slack / 2)) {
      rows.push(`all threads stopped for ${duration(ns)}`);
      break;
    }
  if (y >= chartAt && time.counters.length > 0) {
    const counter = time.counters[timeView.counter];
    rows.push(`${counter.name}: ${counterText(counter, counter.parts[part])}`);
  }
  return rows;
}

function showTimeTip(event) {
  const tip = byId("tip"), box = timeCanvas.getBoundingClientRect();
  const x = event.clientX - box.left, y = event.clientY - box.top;
  tip.hidden = x < LABEL;
  if (tip.hidden) return;
  const [title, ...rows] = timeDetails(x, y);
  tip.replaceChildren(element("strong", {}, title), ...rows.map((text) => element("span", {class: "row"}, text)));
  placeTip(event.clientX, event.clientY);
}

// The legend of the colors in use.
function showTimeLegend() {
  const used = new Set(lanes.flatMap(({waits}) => waits.filter((row) => row >= 0).map((row) => time.waits[row][0])));
  const item = (color, text) => {
    const swatch = element("i", {class: "swatch"});
    swatch.style.background = color;
    return element("li", {}, swatch, text);
  };
  byId("time-legend").replaceChildren(
      item(`hsl(26 84% ${darkTheme.matches ? 58 : 56}%)`, "runs"),
      ...[...used].map((key) => item(waitColor(key), key === "idle" ? "waits for work" : "waits: " + key)),
      ...(time.pauses.length > 0 ? [item(waitColor("collection"), "all threads stopped")] : []));
}

function showTimeline() {
  timePane.hidden = lanes.length === 0 && time.counters.length === 0 && requests.length === 0;
  byId("whole-run").hidden = !shown.range;
  showMarks();
  byId("range").textContent = rangeText();
  byId("own-title").textContent = shown.range ? "Your code, in the whole run" : "Your code";
  const more = lanes.length - FEW_LANES;
  byId("all-lanes").hidden = more <= 0;
  byId("all-lanes").textContent = timeView.allLanes ? "Fewer threads" : `${counted(more, "more thread")}`;
  byId("counter").hidden = time.counters.length < 2;
  drawTimeline();
}

function startTimeline() {
  const leftOut = Object.entries(time.leftOut).map(([what, number]) => counted(number, what, what));
  const kept = time.leftOut.marks ? "The longest, and the first marks, are shown." : "The longest are shown.";
  byId("time-left-out").textContent = `Left out, as there are too many: ${leftOut.join(", ")}. ${kept}`;
  byId("time-left-out").hidden = leftOut.length === 0;
  byId("counter").replaceChildren(...time.counters.map(({name}, i) => element("option", {value: String(i)}, name)));
  byId("counter").addEventListener("change", () => {
    timeView.counter = Number(byId("counter").value);
    drawTimeline();
  });
  byId("time-marks").hidden = time.marks.length === 0;
  for (const [id, whole] of [["from-mark", "the begin"], ["to-mark", "the end"]]) {
    const marks = time.marks.map(([, text], i) => element("option", {value: String(i)}, text));
    byId(id).replaceChildren(element("option", {value: ""}, whole), ...marks);
    byId(id).addEventListener("change", chooseMarks);
  }
  byId("all-lanes").addEventListener("click", () => {
    timeView.allLanes = !timeView.allLanes;
    showTimeline();
  });
  byId("whole-run").addEventListener("click", () => choose(WHOLE_RUN));
  const x = (event) => event.clientX - timeCanvas.getBoundingClientRect().left;
  timeCanvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || x(event) < LABEL) return;
    shown.marks = WHOLE_RUN.marks;
    showMarks();
    timeView.dragFrom = partAt(x(event));
    timeCanvas.setPointerCapture(event.pointerId);
  });
  timeCanvas.addEventListener("pointermove", (event) => {
    if (timeView.dragFrom < 0) return showTimeTip(event);
    const to = partAt(x(event));
    shown.range = [Math.min(timeView.dragFrom, to), Math.max(timeView.dragFrom, to) + 1];
    byId("range").textContent = rangeText();
    drawTimeline();
  });
  timeCanvas.addEventListener("pointerup", () => {
    if (timeView.dragFrom < 0) return;
    const clicked = shown.range && shown.range[1] - shown.range[0] === 1;
    timeView.dragFrom = -1;
    if (shown.range) clicked ? choose(WHOLE_RUN) : setRange(...shown.range);
  });
  timeCanvas.addEventListener("mouseleave", () => showTip(null));
  timeCanvas.addEventListener("keydown", (event) => {
    if (!event.key.startsWith("Arrow")) return;
    event.preventDefault();
    moveRange(event.key);
  });
  whenResized(timePane, drawTimeline);
  showTimeLegend();
}
