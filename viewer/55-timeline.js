// The timeline: requests, threads and a counter over the run. Everything else shows the time range selected on it.

const time = data.time;
const LABEL = 150, LANE = 15, REQUEST = 6, REQUEST_ROWS = 5, CHART = 40, AXIS = 18, FEW_LANES = 8;
const timePane = document.getElementById("time");
const timeCanvas = document.getElementById("time-canvas");
const timePen = timeCanvas.getContext("2d");
const timeView = {allLanes: false, counter: 0, dragFrom: -1};

// Hue and saturation by kind of wait.
const WAIT_COLORS = {
  idle: [60, 4], sleep: [44, 14], lock: [2, 74], task: [24, 76], signal: [38, 60], thread: [52, 50], network: [204, 62],
  file: [184, 44], database: [164, 50], process: [284, 34], console: [310, 26], collection: [150, 50],
  compilation: [272, 50], system: [216, 14],
};
const waitColor = (key) => {
  const [hue, saturation] = WAIT_COLORS[key] || WAIT_COLORS.system;
  return `hsl(${hue} ${saturation}% ${darkTheme.matches ? 46 : 74}%)`;
};

// Decodes run lengths [value, repetitions, value, …] to one value per part.
function unrolled(runs) {
  const values = [];
  for (let i = 0; i < runs.length; i += 2) for (let n = 0; n < runs[i + 1]; n++) values.push(runs[i]);
  return values;
}
const lanes = time.lanes.map(({thread, ran, waits}) => ({thread, ran: unrolled(ran), waits: unrolled(waits)}));

// Overlapping requests are stacked in rows, as far as there is room.
const requests = (() => {
  const free = [], sorted = time.requests.all.slice().sort((a, b) => a[0] - b[0]);
  return sorted.map(([start, ns, name, failed]) => {
    let row = free.findIndex((end) => end <= start);
    if (row < 0) row = free.length < REQUEST_ROWS ? free.push(0) - 1 : REQUEST_ROWS - 1;
    free[row] = Math.max(free[row], start + ns);
    return {start, ns, name, failed: failed === 1, row};
  });
})();
const requestRows = requests.reduce((most, {row}) => Math.max(most, row + 1), 0);

const partNs = (time.end - time.begin) / time.parts;
const lanesShown = () => timeView.allLanes ? lanes : lanes.slice(0, FEW_LANES);

// Vertical positions of the sections.
function timeLayout() {
  const requestsAt = AXIS, lanesAt = requestsAt + (requestRows > 0 ? requestRows * REQUEST + 6 : 0);
  const chartAt = lanesAt + lanesShown().length * LANE + 6;
  return {requestsAt, lanesAt, chartAt, height: chartAt + (time.counters.length > 0 ? CHART + 4 : 0)};
}

const timeWidth = () => timeCanvas.clientWidth - LABEL;
const timeX = (ns) => LABEL + (ns - time.begin) / (time.end - time.begin) * timeWidth();
const timeAt = (x) => time.begin + Math.min(1, Math.max(0, (x - LABEL) / timeWidth())) * (time.end - time.begin);
const partAt = (x) => Math.min(time.parts - 1, Math.floor((timeAt(x) - time.begin) / partNs));

function drawAxis(width, height) {
  const steps = [1, 2, 5].flatMap((n) => [...Array(12).keys()].map((power) => n * 10 ** power)).sort((a, b) => a - b);
  const step = steps.find((ns) => (time.end - time.begin) / ns <= width / 90) || (time.end - time.begin);
  timePen.fillStyle = themeColor("--soft");
  for (let ns = Math.ceil(time.begin / step) * step; ns <= time.end; ns += step) {
    const x = timeX(ns), label = duration(ns);
    timePen.globalAlpha = 0.25;
    timePen.fillRect(x, AXIS - 4, 1, height - AXIS + 4);
    timePen.globalAlpha = 1;
    if (x + timePen.measureText(label).width < LABEL + timeWidth()) timePen.fillText(label, x + 3, AXIS / 2);
  }
}

function drawRequests(top) {
  for (const {start, ns, failed, row} of requests) {
    timePen.fillStyle = failed ? themeColor("--warn") : themeColor("--accent");
    timePen.globalAlpha = 0.75;
    timePen.fillRect(timeX(start), top + row * REQUEST, Math.max(1, timeX(start + ns) - timeX(start) - 0.5), REQUEST - 1);
  }
  timePen.globalAlpha = 1;
}

function drawLane({thread, ran, waits}, top, ranColor) {
  const room = LABEL - 12;
  const label = fitName(threadName(thread), room, (text) => timePen.measureText(text).width);
  timePen.fillStyle = themeColor(thread === shown.thread ? "--accent" : "--text");
  timePen.fillText(label, 4, top + LANE / 2);
  for (let part = 0; part < time.parts; part++) {
    const x = timeX(time.begin + part * partNs), next = timeX(time.begin + (part + 1) * partNs);
    if (waits[part] >= 0) {
      timePen.fillStyle = waitColor(time.waits[waits[part]][0]);
      timePen.fillRect(x, top + 2, next - x + 0.5, LANE - 4);
    }
    const high = ran[part] / 10 * (LANE - 3);
    timePen.fillStyle = ranColor;
    if (high > 0) timePen.fillRect(x, top + LANE - 2 - high, next - x + 0.5, high);
  }
}

function drawPauses(top, height) {
  timePen.fillStyle = waitColor("collection");
  timePen.globalAlpha = 0.55;
  for (const [start, ns] of time.pauses) timePen.fillRect(timeX(start), top, Math.max(1, timeX(start + ns) - timeX(start)), height);
  timePen.globalAlpha = 1;
}

function counterText(counter, value) {
  const {unit, isTotal} = counter;
  const text = unit === "By" ? byteText(Math.round(value)) : unit === "s" ? duration(value * 1e9) :
      (value >= 1000 ? integer.format(Math.round(value)) : String(Number(value.toPrecision(3)))) +
      (unit === "" || unit === "1" || unit.startsWith("{") ? "" : " " + unit);
  return isTotal ? text + "/s" : text;
}

function drawChart(top) {
  const counter = time.counters[timeView.counter];
  const most = Math.max(...counter.parts, 0);
  timePen.fillStyle = themeColor("--soft");
  timePen.fillText(fitName(counter.name, LABEL - 12, (text) => timePen.measureText(text).width), 4, top + 12);
  timePen.fillText("peak " + counterText(counter, most), 4, top + 28);
  timePen.fillStyle = `hsl(212 55% ${darkTheme.matches ? 58 : 62}%)`;
  counter.parts.forEach((value, part) => {
    const x = timeX(time.begin + part * partNs), next = timeX(time.begin + (part + 1) * partNs);
    const high = most > 0 ? Math.max(0, value) / most * CHART : 0;
    timePen.fillRect(x, top + CHART - high, next - x + 0.5, high);
  });
}

// A dashed line at each mark, with its text on the axis where there is room.
function drawMarks(height) {
  timePen.strokeStyle = timePen.fillStyle = themeColor("--accent");
  timePen.setLineDash([4, 3]);
  time.marks.forEach(([at, text], i) => {
    const x = Math.round(timeX(at)) + 0.5, next = i + 1 < time.marks.length ? timeX(time.marks[i + 1][0]) : LABEL + timeWidth();
    timePen.beginPath();
    timePen.moveTo(x, 0);
    timePen.lineTo(x, height);
    timePen.stroke();
    const width = timePen.measureText(text).width;
    if (width > next - x - 6) return;
    timePen.fillStyle = themeColor("--panel");
    timePen.fillRect(x + 1, 0, width + 6, AXIS - 4);
    timePen.fillStyle = themeColor("--accent");
    timePen.fillText(text, x + 3, AXIS / 2);
  });
  timePen.setLineDash([]);
}

// Shades the time that is not counted.
function drawRange(height) {
  if (!shown.range) return;
  const [low, high] = shown.range.map((part) => timeX(time.begin + part * partNs));
  timePen.fillStyle = themeColor("--ground");
  timePen.globalAlpha = 0.72;
  timePen.fillRect(LABEL, 0, low - LABEL, height);
  timePen.fillRect(high, 0, LABEL + timeWidth() - high, height);
  timePen.globalAlpha = 1;
  timePen.fillStyle = themeColor("--accent");
  timePen.fillRect(low - 1, 0, 2, height);
  timePen.fillRect(high - 1, 0, 2, height);
}

function drawTimeline() {
  if (timePane.hidden) return;
  const {requestsAt, lanesAt, chartAt, height} = timeLayout();
  const ratio = window.devicePixelRatio || 1, width = timeCanvas.clientWidth;
  timeCanvas.style.height = height + "px";
  timeCanvas.width = Math.round(width * ratio);
  timeCanvas.height = Math.round(height * ratio);
  timePen.setTransform(ratio, 0, 0, ratio, 0, 0);
  timePen.font = "11px " + getComputedStyle(document.body).fontFamily;
  timePen.textBaseline = "middle";
  drawAxis(timeWidth(), height);
  if (requestRows > 0) {
    timePen.fillStyle = themeColor("--soft");
    timePen.fillText("Requests", 4, requestsAt + requestRows * REQUEST / 2);
    drawRequests(requestsAt);
  }
  const color = `hsl(26 84% ${darkTheme.matches ? 58 : 56}%)`;
  drawPauses(lanesAt, chartAt - lanesAt - 6);
  lanesShown().forEach((lane, i) => drawLane(lane, lanesAt + i * LANE, color));
  if (time.counters.length > 0) drawChart(chartAt);
  drawMarks(height);
  drawRange(height);
}
