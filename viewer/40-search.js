// Search: matching frames, and their share of what is shown.

const search = {
  active: false,
  found: false,                                           // some frame matches
  literal: false,                                         // not a valid regular expression: searched as plain text
  frames: new Uint8Array(data.frames.names.length),       // 1: matches
};

const escapeRegex = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

// As a regular expression, or as plain text if it is none.
function patternOf(text) {
  return isRegex(text) ? new RegExp(text, "iu") : new RegExp(escapeRegex(text), "iu");
}

function isRegex(text) {
  try {
    return new RegExp(text, "iu") !== null;
  } catch {
    return false;
  }
}

function compile(text) {
  search.literal = !isRegex(text);
  return patternOf(text);
}

function setSearch(text) {
  search.active = text !== "";
  search.found = false;
  search.frames.fill(0);
  if (!search.active) return;
  const regex = compile(text);
  const modules = data.frames.modules.map((module) => module !== "" && regex.test(module));
  data.frames.names.forEach((name, frame) => {
    const raw = rawNames.get(frame);
    const hit = regex.test(name) || modules[data.frames.module[frame]] || (raw !== undefined && regex.test(raw));
    search.frames[frame] = hit ? 1 : 0;
    search.found ||= hit;
  });
}

const isMatch = (node) => model.frame[node] >= 0 && search.frames[model.frame[node]] === 1;

// For samples below `root`: how many have a match on their stack, and the number of matching nodes and functions.
function matchWeights(root) {
  const {depth, total} = model;
  let periods = 0, coveredDepth = Infinity;
  const nodes = [], functions = new Set();
  for (let i = root, end = subtreeEnd(model, root); i < end; i++) {
    if (depth[i] <= coveredDepth) coveredDepth = Infinity;
    if (!isMatch(i) || total[i] === 0) continue;
    nodes.push(i);
    functions.add(model.frame[i]);
    if (coveredDepth === Infinity) {
      periods += total[i];
      coveredDepth = depth[i];
    }
  }
  return {periods, nodes, functions: functions.size};
}
