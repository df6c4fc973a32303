// One color per group with a shade per type, so that neighbours differ and methods of one type match.

const darkTheme = window.matchMedia("(prefers-color-scheme: dark)");
const SHADES = 6;
const TYPE_COLOR = [95, 45];

// Hue and saturation by category: user code is warm, .NET code blue, runtime work violet and red, memory green, unknown
// grey.
const CATEGORY_COLORS = {
  own: [26, 92], package: [48, 82], framework: [212, 70], generated: [38, 45],
  jit: [276, 55], pgo: [322, 62], tiering: [300, 45], types: [256, 55], lookups: [240, 45], casts: [228, 48], stubs: [342, 45],
  allocation: [128, 45], gc: [156, 55], exceptions: [4, 75], suspension: [350, 60],
  start: [60, 14], waiting: [200, 12], kernel: [82, 34], oriel: [16, 22], native: [178, 36], runtime: [270, 18], unknown: [40, 5],
  roots: [262, 10],
};

function hash(text) {
  let h = 2166136261;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  return (h ^ h >>> 15) >>> 0;
}

function shades([hue, saturation], dark) {
  return Array.from({length: SHADES}, (_, shade) => {
    const lightness = (dark ? 60 : 76) + (shade * 5 % SHADES - SHADES / 2) * (dark ? 1.3 : 1.6);
    const strength = saturation * (dark ? 0.72 : 1);
    return `hsl(${(hue + (shade - SHADES / 2) * 1.6).toFixed(0)} ${strength.toFixed(0)}% ${lightness.toFixed(1)}%)`;
  });
}

// By group, then shade; types last. Groups of one category, such as packages, get neighbouring colors.
function makePalette(dark) {
  const before = {};
  const colors = data.groups.map(([key]) => {
    const [hue, saturation] = CATEGORY_COLORS[key] || CATEGORY_COLORS.unknown;
    const nth = before[key] = (before[key] || 0) + 1;
    return shades([hue - 18 * (nth - 1), saturation], dark);
  });
  return [...colors, shades(TYPE_COLOR, dark)];
}

let palette = makePalette(darkTheme.matches);

const shadeOf = (() => {
  const known = [];
  return (frame) => {
    if (known[frame] !== undefined) return known[frame];
    const parts = shortNames(frameName(frame));
    const bare = parts[Math.min(1, parts.length - 1)];
    const type = nameParts(bare).slice(0, -1).join(".");
    return known[frame] = hash((type || bare) + frameModule(frame)) % SHADES;
  };
})();

const paletteOf = (frame, group) => palette[frameKind(frame) === TYPE_KIND ? data.groups.length : group];
const frameColor = (frame, group) =>
    frame === facts.smaller ? themeColor("--rest") : paletteOf(frame, group)[shadeOf(frame)];
const groupColor = (group) => palette[group][SHADES / 2];
const themeColor = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
