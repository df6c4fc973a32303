// Names and figures as people read them.

const integer = new Intl.NumberFormat("en-US");

function percent(part, whole) {
  if (whole <= 0) return "0 %";
  const share = 100 * part / whole;
  if (share === 0 || share >= 99.95) return Math.round(share) + " %";
  return (share >= 10 ? share.toFixed(1) : share >= 0.1 ? share.toFixed(2) : share.toPrecision(1)) + " %";
}

function duration(ns) {
  for (const [unit, size] of [["h", 3600e9], ["min", 60e9]]) {
    if (ns < 2 * size) continue;
    return (ns / size).toFixed(1) + " " + unit;
  }
  for (const [unit, size] of [["s", 1e9], ["ms", 1e6], ["µs", 1e3]]) {
    if (ns < size) continue;
    const value = ns / size;
    return (value >= 100 ? value.toFixed(0) : value.toPrecision(3)) + " " + unit;
  }
  return Math.round(ns) + " ns";
}

function byteText(value) {
  for (const [unit, size] of [["GB", 1e9], ["MB", 1e6], ["kB", 1e3]]) {
    if (value < size) continue;
    const amount = value / size;
    return (amount >= 100 ? amount.toFixed(0) : amount.toPrecision(3)) + " " + unit;
  }
  return integer.format(value) + (value === 1 ? " byte" : " bytes");
}

// Sampling periods as time where the log says how long one is; or what facts.unit says that the weights are.
const weight = (periods) => {
  if (facts.unit === "bytes") return byteText(periods);
  return facts.periodNs ? duration(periods * facts.periodNs) : samples(periods);
};
const samples = (periods) => {
  const one = facts.unit === "objects" ? " object" : " sample";
  return integer.format(periods) + one + (periods === 1 ? "" : "s");
};

// Where the parameter list at the end of a name begins, or -1: "Add(int, string)", "run() const".
function parametersAt(name) {
  const end = name.lastIndexOf(")");
  if (end < 0 || !/^(\)|\) ?(const|\[.*\]|&+))*$/.test(name.slice(end))) return -1;
  let open = 0;
  for (let i = end; i >= 0; i--) {
    if (name[i] === ")") open++;
    else if (name[i] === "(" && --open === 0) return i > 0 ? i : -1;
  }
  return -1;
}

// "Shop.Cart.Add" → ["Shop", "Cart", "Add"]; separators within <…>, […] and (…) do not count.
function nameParts(name) {
  const parts = [];
  let nested = 0, start = 0;
  for (let i = 0; i < name.length; i++) {
    const c = name[i];
    if (c === "<" || c === "[" || c === "(") nested++;
    else if ((c === ">" || c === "]" || c === ")") && nested > 0) nested--;
    else if (nested === 0 && (c === "." || (c === ":" && name[i + 1] === ":"))) {
      const next = i + (c === "." ? 1 : 2);
      if (i > start && next < name.length) {
        parts.push(name.slice(start, i));
        start = next;
      }
      i = next - 1;
    }
  }
  parts.push(name.slice(start));
  return parts;
}

// What compilers add to native symbols: their clones (".constprop.0") and numbers (".1234").
const SYMBOL_ENDING = /(\.(part|constprop|isra|cold|lto_priv|llvm)(\.\d+)?|\.\d+)*$/;

// A name from long to short: whole, without parameters, type and method, method.
const shortNames = (() => {
  const known = new Map();
  return (name) => {
    if (known.has(name)) return known.get(name);
    const names = [name];
    const at = parametersAt(name);
    const bare = (at > 0 ? name.slice(0, at) : name).replace(SYMBOL_ENDING, "");
    names.push(bare);
    const library = /^\[.*\]$/.test(name) || /\.so[.\d]*$/.test(name);
    if (!library) {
      const parts = nameParts(bare);
      const separator = bare.includes("::") ? "::" : ".";
      if (parts.length > 2) names.push(parts.slice(-2).join(separator));
      if (parts.length > 1) names.push(parts[parts.length - 1]);
    }
    const unique = names.filter((n, i) => names.indexOf(n) === i);
    known.set(name, unique);
    return unique;
  };
})();

// What fits of a name into `room` pixels, "" if nothing worth reading does. `measure` gives a text's width.
function fitName(name, room, measure) {
  const names = shortNames(name);
  for (const candidate of names) if (measure(candidate) <= room) return candidate;
  const last = names[names.length - 1];
  let length = Math.floor(last.length * room / measure(last));
  while (length >= 2 && measure(last.slice(0, length) + "…") > room) length--;
  return length >= 2 ? last.slice(0, length) + "…" : "";
}

const typeAndMethod = (name) => {
  const names = shortNames(name);
  return names.length > 2 ? names[2] : names[names.length - 1];
};
