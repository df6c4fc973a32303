// The head of the page: the summary of `oriel report`.

const byId = (id) => document.getElementById(id);

// A frame later: what is drawn may change the sizes of others, which a browser takes for an error in the same frame.
function whenResized(element, draw) {
  new ResizeObserver(() => requestAnimationFrame(draw)).observe(element);
}

// element("td", {class: "x"}, "text", child…). Text only ever becomes text nodes, never markup.
function element(tag, attributes = {}, ...content) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...content);
  return made;
}

// Formats text in `backticks` as code.
const withCode = (text) => text.split("`").map((part, i) => i % 2 === 1 ? element("code", {}, part) : part);

function showFacts() {
  document.title = facts.title + " – Oriel";
  byId("title").textContent = facts.title;
  byId("title").title = facts.cwd ? `${facts.title}\nin ${facts.cwd}` : facts.title;
  const fact = (label, content, kind) => element("div", {class: kind}, element("dt", {}, label), element("dd", {}, ...content));
  byId("hints").append(...data.summary.hints.map(({text}) => fact("Hint", withCode(text), "hint")));
  byId("hints").hidden = data.summary.hints.length === 0;
  // The title already shows the command.
  const told = data.summary.facts.filter(([label]) => label !== "Command");
  byId("facts").append(...told.map(([label, text, warning]) => fact(label, [text], warning ? "warn" : "fact")));
}

const fileName = (path) => path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);

function showOwnMethods() {
  const rows = data.summary.own;
  byId("own").hidden = rows.length === 0;
  // Shares are of all samples, whatever else is shown.
  const samples = WEIGHTS.find(({name}) => name === "samples");
  if (rows.length === 0 || !samples) return;
  const whole = facts.periods;
  byId("own-rows").append(...rows.map(({name, module, own, total, file, line}) => {
    const frame = data.frames.names.findIndex((other, i) => other === name && frameModule(i) === (module || ""));
    const time = (part) => samples.unit === "time" ? duration(part * samples.scale) : integer.format(part);
    const share = (part) => element("td", {class: "figure", title: time(part)}, percent(part, whole),
                                    element("span", {class: "soft"}, " " + time(part)));
    const button = element("button", {type: "button", "data-frame": String(frame), title: name}, typeAndMethod(name));
    const where = file ? element("span", {class: "origin", title: `${file}:${line}`}, `${fileName(file)}:${line}`) : "";
    return element("tr", {}, share(own), share(total), element("td", {}, element("div", {class: "method"}, button, where)));
  }));
}

const SPENT = {
  "samples": "Spent in", "calls-time": "Spent in", "calls": "Called", "bytes": "Allocated by", "objects": "Allocated by",
  "alive": "Allocated by", "alive-2": "Allocated by", "alive-10": "Allocated by", "heap": "Objects of",
};
const GROUPS_SHOWN = 8;
let allGroups = false;

// The bar of groups, for the zoomed node and the selected thread. Each group can be selected.
function showGroups() {
  const sums = groupWeights(model, view.zoomed);
  const whole = sums.reduce((sum, weight) => sum + weight, 0);
  const order = sums.map((_, group) => group).filter((group) => sums[group] > 0 || shown.groups.has(group));
  order.sort((a, b) => sums[b] - sums[a]);
  byId("spent-title").textContent = view.zoomed === 0 ? SPENT[weightShown().name] : "In the zoom";
  const button = (group, ...content) => {
    const title = `${groupName(group)}: ${percent(sums[group], whole)}, ${weight(sums[group])}`;
    return element("button", {type: "button", "data-group": String(group), title,
                              "aria-pressed": String(shown.groups.has(group))}, ...content);
  };
  const faded = (group) => shown.groups.size > 0 && !shown.groups.has(group);
  byId("bar").replaceChildren(...order.filter((group) => sums[group] > 0).map((group) => {
    const part = element("i", {"data-group": String(group), title: `${groupName(group)}: ${percent(sums[group], whole)}`});
    part.style.flexGrow = String(sums[group] / whole);
    part.style.background = groupColor(group);
    part.classList.toggle("faded", faded(group));
    return part;
  }));
  const few = allGroups ? order : order.filter((group, i) => i < GROUPS_SHOWN || shown.groups.has(group));
  const items = few.map((group) => {
    const swatch = element("i", {class: "swatch"});
    swatch.style.background = groupColor(group);
    return element("li", faded(group) ? {class: "faded"} : {},
                   button(group, swatch, element("b", {}, percent(sums[group], whole)), " " + groupName(group)));
  });
  const rest = order.filter((group) => !few.includes(group));
  if (rest.length > 0 || allGroups && order.length > GROUPS_SHOWN) {
    const sum = rest.reduce((all, group) => all + sums[group], 0);
    const text = allGroups ? "fewer" : `${percent(sum, whole)} ${counted(rest.length, "other")}`;
    items.push(element("li", {}, element("button", {type: "button", id: "more-groups"}, text)));
  }
  if (shown.groups.size > 0) items.push(element("li", {}, element("button", {type: "button", id: "no-group"}, "show all")));
  byId("legend").replaceChildren(...items);
}
