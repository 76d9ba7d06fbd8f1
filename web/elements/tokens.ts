/**
 * The design: every size, space and colour that the page, its frames, its pictures and its files are drawn with. Style
 * sheets name them as properties (`var(--small)`), scripts import them, and .ci/design.mjs refuses all others.
 *
 * Ink on paper carries the page, and the answer is the largest and boldest ink of a view. Blue is the reader's: what can
 * be clicked, typed, dragged, or has been chosen, and nothing else. Green is right, red is wrong, amber is a warning.
 * Every other colour is data, with one meaning over the whole page.
 */

/** Sizes of text in px, at the usual 16 a rem: steps of 1.1 to 1.2. Drawings have them so, for all their places are in px. */
export const drawn = { fine: 11.5, small: 13, caption: 14.5, body: 16, heading: 18, title: 22 } as const;

const rem = (px: number) => `${px / 16}rem`;
const each = <Name extends string, From, To>(all: Record<Name, From>, to: (from: From) => To): Record<Name, To> =>
  Object.fromEntries(Object.entries<From>(all).map(([name, from]) => [name, to(from)])) as Record<Name, To>;

/** Sizes of text: notes, what is around an answer, captions, prose, headings; two that grow with their column; code in a line of text. */
export const type = {
  ...each(drawn, rem),
  answer: `clamp(${rem(drawn.heading)}, 0.9rem + 1.1cqi, 1.6rem)`,
  display: "clamp(1.7rem, 1.2rem + 3cqi, 2.6rem)",
  code: "0.86em",
};

/** Spaces, in px at 16 a rem: within a word's reach, within a group, between groups, between sections. */
export const space = each({ 1: 2, 2: 4, 3: 6, 4: 8, 5: 12, 6: 16, 7: 24, 8: 40 }, rem);

/** Typefaces, all from the reader's system: prose, everything else, code, formulas. */
export const faces = {
  serif: `"Iowan Old Style", "Palatino Linotype", Palatino, "TeX Gyre Pagella", "Book Antiqua", Georgia, serif`,
  sans: `system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif`,
  mono: `ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace`,
  math: `"STIX Two Math", "Latin Modern Math", "Cambria Math", math, serif`,
};

/** Ink and paper, and a view's status colours. */
export const inks = {
  paper: { light: "#fffefb", dark: "#15171a" },
  "paper-raised": { light: "#f6f4ee", dark: "#1d2024" },
  ink: { light: "#1b1b1a", dark: "#e9e7e2" },
  "ink-soft": { light: "#5a5853", dark: "#a9a69f" },
  rule: { light: "#d9d5cb", dark: "#35393f" },
  "rule-strong": { light: "#8d887c", dark: "#6d7178" },
  // Blue: anything that can be acted on.
  accent: { light: "#0b5c8f", dark: "#6cb8ea" },
  good: { light: "#1c6b3c", dark: "#6fcf97" },
  bad: { light: "#a3271b", dark: "#ff9a8d" },
  "bad-wash": { light: "#fbece9", dark: "#33201f" },
  warn: { light: "#7a5200", dark: "#e8b85c" },
};

/** Under a dialog, and around floating boxes. */
const shades = { veil: "rgb(0 0 0 / 0.35)", shadow: "rgb(0 0 0 / 0.14)" };

/** Text on a colour: the one of two that reads better. */
export const upon = { light: "#ffffff", dark: "#000000" } as const;

/** A colour on light and on dark paper; or another's with a texture, for a subtype of the same. */
export type Shade = { light: string; dark: string } | { like: string; texture: "lines" | "dots" };

/** Data: one colour, one meaning, none of them blue. */
export const subjects = {
  // Where a step's time goes, and the purposes of its messages.
  compute: { light: "#6a4bb5", dark: "#cdb0f0" },
  recompute: { like: "compute", texture: "lines" },
  tensor: { light: "#d4603d", dark: "#f49b37" },
  sequence: { like: "tensor", texture: "lines" },
  vocabulary: { like: "tensor", texture: "dots" },
  data: { light: "#0e4405", dark: "#7dd299" },
  pipeline: { light: "#3a107b", dark: "#877bbd" },
  context: { light: "#795700", dark: "#a38303" },
  expert: { light: "#7d3151", dark: "#bb5f71" },
  optimizer: { light: "#07778d", dark: "#7afdfe" },
  waiting: { light: "#978f91", dark: "#a59d9f" },
  straggler: { like: "waiting", texture: "lines" },
  launch: { like: "waiting", texture: "dots" },
  offload: { like: "optimizer", texture: "lines" },
  communication: { light: "#712905", dark: "#fbdd8b" },
  overlapped: { like: "compute", texture: "dots" },
  input_gradient: { light: "#11a189", dark: "#569153" },
  weight_gradient: { light: "#64437c", dark: "#a58ad0" },
  // The contents of memory; the optimizer has its colour above.
  weights: { light: "#a071fc", dark: "#815ae4" },
  gradients: { light: "#582665", dark: "#a665a5" },
  activations: { light: "#d17767", dark: "#fe9fa7" },
  logits: { light: "#335711", dark: "#b9ae47" },
  cache: { like: "weights", texture: "lines" },
  working: { light: "#8e6b07", dark: "#e7f197" },
  // Where a number comes from.
  expected: { light: "#005c71", dark: "#64b2c2" },
  measured: { light: "#81351c", dark: "#d88956" },
  nccl: { light: "#769c4c", dark: "#a2e096" },
  own: { light: "#b87ab9", dark: "#ad70cf" },
  textbook: { light: "#797273", dark: "#867e80" },
  pinned: { light: "#5d144f", dark: "#fdc2f6" },
  // Which wires.
  scale_up: { light: "#076b6f", dark: "#34898d" },
  network: { light: "#a09134", dark: "#e3c46d" },
  // Subjects with their name next to them, which need no colour.
  plain: { light: "#4b4446", dark: "#e3dadc" },
} as const satisfies Record<string, Shade>;

export type Subject = keyof typeof subjects;

/** Meanings that share a chart: tests/page/colors.test.mjs checks that the colour-blind can tell them apart. */
export const together: readonly (readonly Subject[])[] = [
  ["compute", "tensor", "data", "pipeline", "context", "expert", "optimizer", "waiting"],
  ["weights", "gradients", "optimizer", "activations", "logits", "working"],
  ["weights", "compute", "tensor", "expert", "pipeline", "waiting"],
  ["expected", "measured", "nccl", "own", "textbook", "pinned"],
  ["compute", "input_gradient", "weight_gradient", "tensor"],
  ["compute", "communication", "waiting"],
  ["scale_up", "network"],
];

/** A subject's property. */
export const subjectProperty = (subject: Subject) => `${subject.replaceAll("_", "-")}-color`;

const scheme = ({ light, dark }: { light: string; dark: string }) => `light-dark(${light}, ${dark})`;
const named = <Value>(prefix: string, all: Record<string, Value>) =>
  Object.entries(all).map(([name, value]): [string, Value] => [`${prefix}${name}`, value]);

/** All of them as custom properties, without their dashes. */
export const properties: Record<string, string> = Object.fromEntries([
  ...named("", type),
  ...named(
    "drawn-",
    each(drawn, (px) => `${px}px`),
  ),
  ...named("space-", space),
  ...named("", faces),
  ...named("", each(inks, scheme)),
  ...named("", shades),
  ...Object.entries<Shade>(subjects).flatMap(([name, shade]) =>
    "light" in shade ? [[subjectProperty(name as Subject), scheme(shade)]] : [],
  ),
]);

/** How many origins differ by hue: neighbours also by lightness, for the colour-blind. */
const mostOrigins = 16;
/** Where in the hues blue begins, and how far it extends. */
const blue = { from: 222, degrees: 67 };

/** The colour of what comes from one of so many ranks; ink can be read on it, on light and on dark paper. */
export function originColor(origin: number, origins: number): string {
  const turn = Math.round(((origin / Math.min(origins, mostOrigins)) % 1) * (360 - blue.degrees) + 25);
  const hue = (turn < blue.from ? turn : turn + blue.degrees) % 360;
  const [light, dark] = origin % 2 === 0 ? [0.84, 0.49] : [0.74, 0.4];
  return `light-dark(oklch(${light} 0.12 ${hue}), oklch(${dark} 0.1 ${hue}))`;
}
