// Formats names and figures for people.

const integer = new Intl.NumberFormat("en-US");

// The format of `oriel report` (src/report/words/units.cc).
function percent(part, whole) {
  if (whole <= 0) return "–";
  const share = 100 * part / whole;
  return part > 0 && share < 0.05 ? "<0.1 %" : share.toFixed(1) + " %";
}

const threeDigits = (value) => value.toFixed(value < 9.995 ? 2 : value < 99.95 ? 1 : 0);

function duration(ns) {
  if (ns === 0) return "0 s";
  if (ns < 1000) return Math.round(ns) + " ns";
  if (ns < 999.5e3) return threeDigits(ns / 1e3) + " µs";
  if (ns < 999.5e6) return threeDigits(ns / 1e6) + " ms";
  if (ns < 99.95e9) return threeDigits(ns / 1e9) + " s";
  const two = (value) => String(value).padStart(2, "0");
  const seconds = Math.round(ns / 1e9);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`;
  const minutes = Math.round(seconds / 60);
  return `${integer.format(Math.floor(minutes / 60))} h ${two(minutes % 60)} min`;
}

function byteText(value) {
  if (value < 1000) return counted(value, "byte");
  if (value < 999.5e3) return threeDigits(value / 1e3) + " kB";
  return value < 999.5e6 ? threeDigits(value / 1e6) + " MB" : threeDigits(value / 1e9) + " GB";
}

const counted = (value, one, many = one + "s") => integer.format(value) + " " + (value === 1 ? one : many);

// Formats a figure of the shown weight.
function weight(value) {
  const {unit, scale} = weightShown();
  if (unit === "time") return duration(value * scale);
  return unit === "bytes" ? byteText(value) : counted(value, unit.slice(0, -1));
}

// Start of the parameter list at the end of a name, or -1: "Add(int, string)", "run() const".
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

// Suffixes that compilers add to native symbols: clones (".constprop.0") and numbers (".1234").
const SYMBOL_ENDING = /(\.(part|constprop|isra|cold|lto_priv|llvm)(\.\d+)?|\.\d+)*$/;

// Of a type's name, without namespaces: "Dictionary<int, Order>.Entry[]".
const briefType = (name) => name.replace(/[\p{L}_@][\p{L}\p{N}_]*\./gu, "");

// Of objects: with the field that refers to them, without namespaces, the type alone, and without what it is made of.
function shortTypeNames(frame) {
  const place = heldBy(frame), type = briefType(heldType(frame));
  const placed = place === "" ? type : `${place}: ${type}`;
  return [...new Set([frameName(frame), placed, type, type.replace(/<.*>/, "<…>")])];
}

// Forms of a name from long to short: full, without parameters, type and method, method.
const shortNames = (() => {
  const known = new Map();
  data.frames.names.forEach((name, frame) => {
    if (frameKind(frame) === OBJECT_KIND) known.set(name, shortTypeNames(frame));
  });
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

// The longest form of a name that fits in `room` pixels; "" if none is useful. `measure` returns a text's width.
function fitName(name, room, measure) {
  const names = shortNames(name);
  for (const candidate of names) if (measure(candidate) <= room) return candidate;
  const last = names[names.length - 1];
  let length = Math.floor(last.length * room / measure(last));
  while (length >= 2 && measure(last.slice(0, length) + "…") > room) length--;
  return length >= 2 ? last.slice(0, length) + "…" : "";
}

// "Cart.Add" of "Shop.Cart.Add(int)".
function typeAndMethod(name) {
  const names = shortNames(name);
  const bare = names[Math.min(1, names.length - 1)];
  return nameParts(bare).length === 2 ? bare : names[Math.min(2, names.length - 1)];
}

// A short form of a frame: type and method; for a type its name, with the outer type if that is generic, and so not a
// namespace.
function briefName(frame) {
  const name = frameName(frame);
  if (frameKind(frame) === OBJECT_KIND) return shortNames(name)[1] || name;
  if (frameKind(frame) !== TYPE_KIND) return typeAndMethod(name);
  const parts = nameParts(name);
  return parts.slice(parts.length > 1 && parts[parts.length - 2].includes("<") ? -2 : -1).join(".");
}
