// A hue a kind of frame, a shade a type, so that neighbours differ and one type's methods belong together.

const darkTheme = window.matchMedia("(prefers-color-scheme: dark)");
const SHADES = 8;
const HUES = [[14, 46], [200, 226], [270, 316], [120, 160]];

function hash(text) {
  let h = 2166136261;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  return (h ^ h >>> 15) >>> 0;
}

function makePalette(dark) {
  return HUES.map(([low, high], kind) => Array.from({length: SHADES}, (_, shade) => {
    const hue = low + (high - low) * shade / (SHADES - 1);
    const saturation = dark ? [66, 46, 36, 40][kind] : [88, 62, 48, 46][kind];
    const lightness = (dark ? [57, 60, 63, 58][kind] : [73, 78, 80, 76][kind]) + (shade * 5 % SHADES - SHADES / 2) * 0.8;
    return `hsl(${hue.toFixed(0)} ${saturation}% ${lightness.toFixed(1)}%)`;
  }));
}

let palette = makePalette(darkTheme.matches);

const shadeOf = Uint8Array.from(data.frames.names, (name, frame) => {
  const parts = shortNames(name);
  const bare = parts[Math.min(1, parts.length - 1)];
  const type = nameParts(bare).slice(0, -1).join(".");
  return hash((type || bare) + frameModule(frame)) % SHADES;
});

const frameColor = (frame) => palette[frameKind(frame)][shadeOf[frame]];
const kindColor = (kind) => palette[kind][SHADES / 2 | 0];
const themeColor = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
