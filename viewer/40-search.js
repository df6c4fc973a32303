// Search: matching frames, and their share of what is shown.

const search = {
  active: false,
  found: false,                                           // some frame matches
  literal: false,                                         // not a valid regular expression: searched as plain text
  frames: new Set(),                                      // those that match
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
  search.frames.clear();
  if (!search.active) return;
  const regex = compile(text);
  const modules = new Map();
  const moduleMatches = (module) => {
    if (!modules.has(module)) modules.set(module, module !== "" && regex.test(module));
    return modules.get(module);
  };
  data.frames.names.forEach((name, frame) => {
    const raw = rawNames.get(frame);
    if (frame !== facts.smaller && (regex.test(name) || moduleMatches(frameModule(frame)) || (raw !== undefined && regex.test(raw))))
      search.frames.add(frame);
  });
  search.found = search.frames.size > 0;
}

// The frames that match, for the server: four a digit, the first one lowest.
function foundDigits() {
  const digits = new Uint8Array(data.frames.names.length + 3 >> 2);
  for (const frame of search.frames) digits[frame >> 2] |= 1 << (frame & 3);
  return [...digits].map((digit) => digit.toString(16)).join("").replace(/0+$/, "");
}

const isMatch = (node) => search.frames.has(model.frame[node]);

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
