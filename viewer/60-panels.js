// Everything around the graph: header, legend, breadcrumbs, list of functions, details of a frame.

const byId = (id) => document.getElementById(id);

// element("td", {class: "x"}, "text", child…). Text only ever becomes text nodes, never markup.
function element(tag, attributes = {}, ...content) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...content);
  return made;
}

const rootLabel = () => {
  const thread = Number(byId("thread").value);
  const what = thread < 0 ? "all threads" : data.threads[thread].name;
  return `${what} · ${weight(model.total[0])}`;
};

const LOST = {
  samples: (count) => `${integer.format(count)} sample${count === 1 ? "" : "s"}`,
  callers: (count) => `outer callers of ${integer.format(count)} stack${count === 1 ? "" : "s"}`,
  events: (count) => `${integer.format(count)} event${count === 1 ? "" : "s"}`,
  calls: (count) => `${integer.format(count)} event${count === 1 ? "" : "s"} of calls and allocations`,
};

function lostText() {
  // What is shown by something else than samples misses none for lost ones.
  const losses = facts.lost.filter((loss) => facts.unit === "samples" || !["samples", "callers"].includes(loss.what));
  const texts = losses.map(({what, count, of, reasons}) => {
    const share = of ? `, ${percent(count, of)} of all` : "";
    const why = reasons.length === 1 ? reasons[0][1] : reasons.map(([n, words]) => `${integer.format(n)} ${words}`).join(", ");
    return `${LOST[what](count)}${share}: ${why}`;
  });
  return texts.length === 0 ? "none" : texts.join("; ");
}

const WEIGHT_TITLES = {time: "In calls", bytes: "Allocated", objects: "Allocated"};

function showFacts() {
  document.title = facts.title + " – Oriel";
  byId("title").textContent = facts.title;
  byId("title").title = facts.cwd ? `${facts.title}\nin ${facts.cwd}` : facts.title;
  const kind = facts.mode === "real" ? "of elapsed time" : "of CPU time";
  const rows = [
    ["When", facts.startMs ? new Date(facts.startMs).toLocaleString(undefined, {dateStyle: "medium", timeStyle: "medium"}) : ""],
    ["Wall", duration(facts.wallNs)],
    ["CPU", facts.cpuUs ? duration(facts.cpuUs * 1e3) + (facts.coresBusy === null ? "" : ` (${facts.coresBusy.toFixed(2)} cores)`) : ""],
    facts.unit !== "samples" ? [WEIGHT_TITLES[facts.unit], weight(facts.samples)] :
    ["Samples", integer.format(facts.samples) + (facts.hz ? ` at ${integer.format(facts.hz)} Hz ${kind}` : "")],
    ["Lost", lostText()],
    ["Peak memory", facts.maxRssKb ? byteText(facts.maxRssKb * 1024) : ""],
    ["Runtime", facts.runtime],
    ["Process", facts.pid],
  ];
  for (const [name, value] of rows) {
    if (value === "") continue;
    const warn = name === "Lost" && value !== "none";
    byId("facts").append(element("div", warn ? {class: "warn"} : {}, element("dt", {}, name), element("dd", {}, value)));
  }
  const notes = facts.problems.slice(0, 3);
  if (facts.problems.length > 3) notes.push(`and ${facts.problems.length - 3} more problems`);
  if (!facts.ended) notes.push("The log has no end: the program was killed or still ran. What had been written by then is shown.");
  byId("notice").hidden = notes.length === 0;
  byId("notice").textContent = notes.join(" · ");
}

function showThreads() {
  const all = data.threads.reduce((sum, thread) => sum + threadPeriods(thread), 0);
  const order = data.threads.map((thread, index) => ({thread, index, periods: threadPeriods(thread)}));
  order.sort((a, b) => b.periods - a.periods);
  const count = data.threads.length;
  byId("thread").append(element("option", {value: "-1"}, count === 1 ? "All (1 thread)" : `All (${count} threads)`));
  for (const {thread, index, periods} of order) {
    const id = thread.id && !thread.name.includes(String(thread.id)) ? ` · ${thread.id}` : "";
    byId("thread").append(element("option", {value: String(index)}, `${percent(periods, all)}  ${thread.name}${id}`));
  }
}

function showLegend() {
  const weights = kindWeights(view.zoomed);
  const all = weights.reduce((sum, w) => sum + w, 0);
  const titles = ["methods of .NET assemblies", "native functions and libraries", "the .NET runtime's own native code", "types of allocated objects"];
  const shown = data.frames.kinds.includes("3") ? KINDS : KINDS.slice(0, 3);
  byId("legend").replaceChildren(...shown.map((name, kind) => {
    const swatch = element("i", {class: "swatch"});
    swatch.style.background = kindColor(kind);
    return element("li", {title: titles[kind]}, swatch, name, element("b", {}, percent(weights[kind], all)));
  }));
}

function showCrumbs() {
  const path = [];
  for (let node = view.zoomed; node !== 0; node = model.parent[node]) path.push(node);
  path.push(0);
  path.reverse();
  byId("crumbs").replaceChildren(...path.map((node) => {
    const name = node === 0 ? "All" : frameName(model.frame[node]);
    const crumb = element("button", {type: "button", "data-node": String(node), title: name}, typeAndMethod(name));
    if (node === view.zoomed) crumb.setAttribute("aria-current", "location");
    return element("li", {}, crumb);
  }));
  byId("reset").hidden = view.zoomed === 0;
}

function showMatches() {
  const output = byId("matches");
  output.classList.toggle("literal", search.active && search.literal);
  if (!search.active) {
    output.textContent = "";
    return;
  }
  const {periods, functions} = matchWeights(view.zoomed);
  const whole = model.total[view.zoomed];
  const scope = view.zoomed === 0 ? "" : " of zoom";
  output.textContent = functions === 0 ? "no match" : `${percent(periods, whole)}${scope} · ${weight(periods)} · ` +
      `${integer.format(functions)} function${functions === 1 ? "" : "s"}`;
  output.title = search.literal ? "No regular expression: searched as plain text" : "";
}

const MOST_FUNCTIONS = 200;

function showFunctions() {
  if (byId("functions").hidden) return;
  const column = byId("by-total").getAttribute("aria-pressed") === "true" ? 2 : 1;
  const rows = functionWeights(view.zoomed).filter((row) => row[column] > 0);
  rows.sort((a, b) => b[column] - a[column] || b[3 - column] - a[3 - column]);
  const whole = model.total[view.zoomed];
  byId("function-rows").replaceChildren(...rows.slice(0, MOST_FUNCTIONS).map(([frame, self, total]) => {
    const name = frameName(frame);
    const swatch = element("i", {class: "swatch"});
    swatch.style.background = frameColor(frame);
    const button = element("button", {type: "button", "data-frame": String(frame), title: `${name}\n${frameModule(frame)}`},
                           swatch, typeAndMethod(name));
    const share = (part) => {
      const cell = element("td", {title: weight(part)}, percent(part, whole));
      cell.style.setProperty("--share", (100 * part / whole).toFixed(2) + "%");
      return cell;
    };
    return element("tr", search.active && search.frames[frame] ? {class: "match"} : {}, share(self), share(total),
                   element("td", {}, button));
  }));
}

// [label, value] rows about a node.
function detailRows(node) {
  const {total, self} = model;
  const share = (part) => {
    const ofAll = `${percent(part, total[0])} of all`;
    return view.zoomed === 0 ? ofAll : `${ofAll}, ${percent(part, total[view.zoomed])} of zoom`;
  };
  const line = (part) => facts.unit === "samples"
      ? (facts.periodNs ? `${weight(part)} · ` : "") + `${share(part)} · ${samples(part)}`
      : `${weight(part)} · ${share(part)}`;
  return [["Total", line(total[node])], ["Self", line(self[node])]];
}

function nodeTitle(node) {
  return node === 0 ? rootLabel() : frameName(model.frame[node]);
}

function nodeOrigin(node) {
  if (node === 0) return "";
  const frame = model.frame[node];
  return [frameModule(frame), KINDS[frameKind(frame)]].filter((text) => text !== "").join(" · ");
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
    return [element("strong", {}, `${integer.format(count)} callees too narrow to draw`),
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
  const {offsetWidth: width, offsetHeight: height} = tip;
  const left = Math.min(x + 14, window.innerWidth - width - 8);
  const top = y + 18 + height > window.innerHeight - 8 ? y - height - 12 : y + 18;
  tip.style.left = Math.max(8, left) + "px";
  tip.style.top = Math.max(8, top) + "px";
}

function showStatus(node) {
  const status = byId("status");
  if (node < 0) {
    status.replaceChildren(element("span", {class: "hint"}, "Click a frame to zoom into it; / searches, ? lists the keys."));
    return;
  }
  const part = (periods) => `${weight(periods)} (${percent(periods, model.total[view.zoomed])})`;
  const values = `Total ${part(model.total[node])}   Self ${part(model.self[node])}`;
  status.replaceChildren(element("strong", {}, nodeTitle(node)), element("span", {}, nodeOrigin(node)),
                         element("span", {class: "figures"}, values));
}
