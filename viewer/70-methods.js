// The panel beside the graph: all methods, or one with its lines, callers and callees.

const MOST_METHODS = 200;
const panel = {method: -1};  // a frame; -1 shows the list

const linesOf = new Map(data.lines.of);

function shareCell(part, whole) {
  const cell = element("td", {class: "figure", title: weight(part)}, part === 0 ? "" : percent(part, whole));
  cell.style.setProperty("--share", (100 * part / whole).toFixed(2) + "%");
  return cell;
}

function methodButton(frame) {
  if (frame === facts.smaller) return element("span", {class: "soft"}, frameName(frame));
  if (frame < 0) return element("span", {class: "soft"}, heapShown() ? "several roots" : "the thread's start");
  const swatch = element("i", {class: "swatch"});
  swatch.style.background = frameColor(frame, groupOf(frame));
  return element("button", {type: "button", "data-frame": String(frame), title: `${frameName(frame)}\n${frameModule(frame)}`},
                 swatch, briefName(frame));
}

// For allocations, the callees of a method are types.
const allocates = () => weightShown().name !== "heap" && ["bytes", "objects"].includes(weightShown().unit);

// Callers are taken from the whole tree: the zoomed node is only one path to the frame.
const methodsRoot = () => shown.callersOf < 0 ? view.zoomed : 0;

function showList() {
  const column = byId("by-total").getAttribute("aria-pressed") === "true" ? 2 : 1;
  const root = methodsRoot();
  const {all: known, whole, left} = isServed() ? methodsOfAnswer() : {all: functionWeights(calls, root), whole: calls.total[root], left: 0};
  const rows = known.filter((row) => row[column] > 0 && row[0] !== facts.smaller);
  rows.sort((a, b) => b[column] - a[column] || b[3 - column] - a[3 - column]);
  byId("function-rows").replaceChildren(...rows.slice(0, MOST_METHODS).map(([frame, self, total]) =>
      element("tr", search.active && search.frames.has(frame) ? {class: "match"} : {}, shareCell(self, whole),
              shareCell(total, whole), element("td", {}, methodButton(frame)))));
  const more = Math.max(0, rows.length - MOST_METHODS) + left;
  byId("more-functions").hidden = more === 0;
  byId("more-functions").textContent = `and ${counted(more, "lighter one")}${left > 0 ? "" : ": search finds them"}`;
}

// Below the zoomed node, or of all calls where it is one of callers. Of callees too small to draw, they are the caller's.
function methodsOfAnswer() {
  const {rows, all, whole} = served.graph.methods;
  return {all: rows, whole, left: all - rows.length};
}

function neighbourTable(title, rows, whole) {
  const MOST = 15;
  if (rows.length === 0) return [];
  const body = rows.slice(0, MOST).map(([frame, part]) => element("tr", {}, shareCell(part, whole), element("td", {}, methodButton(frame))));
  if (rows.length > MOST) {
    const rest = rows.slice(MOST).reduce((sum, [, part]) => sum + part, 0);
    body.push(element("tr", {}, shareCell(rest, whole), element("td", {class: "soft"}, counted(rows.length - MOST, "other"))));
  }
  return [element("h3", {}, title), element("table", {}, element("tbody", {}, ...body))];
}

// Lines are known only for samples, of the whole log.
function lineTable(frame) {
  const rows = linesOf.get(frame);
  if (!rows || weightShown().name !== "samples") return [];
  const whole = facts.periods;
  const body = rows.map(([file, line, self, total, text]) => element(
      "tr", {}, shareCell(self, whole), shareCell(total, whole),
      element("td", {}, element("div", {class: "line"}, element("span", {class: "origin", title: data.lines.files[file]},
              `${fileName(data.lines.files[file])}:${line}`), element("code", {title: text}, text)))));
  const head = element("tr", {}, ...["Self", "Total", "Line"].map((name) => element("th", {scope: "col"}, name)));
  const narrowed = shown.thread >= 0 || shown.groups.size > 0 || shown.range ? " (all threads, categories and times)" : "";
  return [element("h3", {}, "Lines" + narrowed), element("table", {class: "lines"}, element("thead", {}, head), element("tbody", {}, ...body))];
}

// What is known of a method, for the page or from the server.
function methodFigures(frame) {
  const [, self, total] = functionWeights(calls, 0).find((row) => row[0] === frame) || [frame, 0, 0];
  return {self, total, whole: calls.total[0], ...neighbours(calls, frame)};
}

async function askForMethod(frame) {
  const answer = await answerForSelection("method.json", {frame});
  if (answer && panel.method === frame && isServed()) showMethodFigures(frame, answer);
}

function showMethod() {
  if (isServed()) askForMethod(panel.method);
  else showMethodFigures(panel.method, methodFigures(panel.method));
}

function showMethodFigures(frame, {self, total, whole, callers, callees}) {
  const raw = rawNames.get(frame);
  const names = heapShown() ? ["Retained", "Themselves"] : ["Total", "Self"];
  const figures = [[names[0], total], ...(allocates() ? [] : [[names[1], self]])].map(([name, part]) => element(
      "tr", {}, element("th", {scope: "row"}, name), element("td", {}, weight(part)), element("td", {}, percent(part, whole))));
  byId("method").replaceChildren(
      element("h2", {}, frameName(frame)), element("p", {class: "origin"}, frameOrigin(frame, groupOf(frame))),
      ...(raw === undefined ? [] : [element("p", {}, element("code", {}, raw))]),
      total === 0 ? element("p", {class: "soft"}, "It has no part in what is counted now, or it is hidden as scaffolding.")
                  : element("table", {class: "figures"}, ...figures),
      element("p", {class: "actions"}, element("button", {type: "button", id: "find-method"}, "Find in the graph"), " ",
              ...(heapShown() ? [] : [element("button", {type: "button", id: "graph-callers"}, "Graph of its callers")])),
      ...lineTable(frame),
      ...neighbourTable(heapShown() ? "Held by" : frameKind(frame) === TYPE_KIND ? "Allocated by" : "Called by", callers, whole),
      ...neighbourTable(heapShown() ? "Hold" : allocates() ? "Calls and allocates" : "Calls", callees, whole));
}

function showPanel() {
  const hidden = byId("functions").hidden;
  byId("show-functions").setAttribute("aria-pressed", String(!hidden));
  if (hidden) return;
  const list = panel.method < 0;
  byId("function-list").hidden = !list;
  byId("method-view").hidden = list;
  const types = list ? allocates() : frameKind(panel.method) === TYPE_KIND;
  byId("panel-title").textContent = heapShown() ? (list ? "Types by field" : "Objects") :
      list ? (types ? "Methods and types" : "Methods") : types ? "Type" : "Method";
  byId("list-of").textContent = heapShown() ? "Field and type" : "Method";
  byId("all-methods").textContent = heapShown() ? "All types" : "All methods";
  byId("all-methods").hidden = list;
  if (list) showList();
  else showMethod();
}

function openMethod(frame) {
  panel.method = frame;
  byId("functions").hidden = false;
  showPanel();
  byId("functions").scrollTop = 0;
}
