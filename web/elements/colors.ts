import { unsafeCSS, type CSSResult } from "lit";

/** A colour on light and on dark paper; or another's, told apart by a texture, for what is a kind of the same. */
type Shade = { light: string; dark: string } | { like: string; texture: "lines" | "dots" };

/**
 * One colour, one meaning, over the whole page. Those that stand in one chart (`together`) are told apart by the
 * colour-blind too; tests/page/colors.test.mjs holds them to it.
 */
export const subjects = {
  // Where a step's time goes, and what its messages are for.
  compute: { light: "#0350c2", dark: "#5bb9fe" },
  recompute: { like: "compute", texture: "lines" },
  tensor: { light: "#d4603d", dark: "#f49b37" },
  sequence: { like: "tensor", texture: "lines" },
  vocabulary: { like: "tensor", texture: "dots" },
  data: { light: "#0e4405", dark: "#7dd299" },
  pipeline: { light: "#382871", dark: "#7875c3" },
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
  weight_gradient: { light: "#7575be", dark: "#9781cf" },
  // What memory holds; the optimizer has its colour above.
  weights: { light: "#8c89d8", dark: "#7860fc" },
  gradients: { light: "#582665", dark: "#a665a5" },
  activations: { light: "#d17767", dark: "#fe9fa7" },
  logits: { light: "#335711", dark: "#b9ae47" },
  cache: { like: "weights", texture: "lines" },
  working: { light: "#8e6b07", dark: "#e7f197" },
  // Who says a number.
  expected: { light: "#135792", dark: "#93acfb" },
  measured: { light: "#81351c", dark: "#d88956" },
  nccl: { light: "#769c4c", dark: "#a2e096" },
  own: { light: "#b87ab9", dark: "#ad70cf" },
  textbook: { light: "#797273", dark: "#867e80" },
  pinned: { light: "#5d144f", dark: "#fdc2f6" },
  // Which wires.
  scale_up: { light: "#296ea7", dark: "#2996c0" },
  network: { light: "#a09134", dark: "#e3c46d" },
  // What has its name beside it and needs no colour.
  plain: { light: "#4b4446", dark: "#e3dadc" },
} as const satisfies Record<string, Shade>;

export type Subject = keyof typeof subjects;

/** Meanings that share a chart. */
export const together: readonly (readonly Subject[])[] = [
  ["compute", "tensor", "data", "pipeline", "context", "expert", "optimizer", "waiting"],
  ["weights", "gradients", "optimizer", "activations", "logits", "working"],
  ["weights", "compute", "tensor", "expert", "pipeline", "waiting"],
  ["expected", "measured", "nccl", "own", "textbook", "pinned"],
  ["compute", "input_gradient", "weight_gradient", "tensor"],
  ["compute", "communication", "waiting"],
  ["scale_up", "network"],
];

/** What of its colour and texture a subject has. */
export function shadeOf(subject: Subject): { light: string; dark: string; texture?: "lines" | "dots" } {
  const shade: Shade = subjects[subject];
  return "like" in shade ? { ...shadeOf(shade.like as Subject), texture: shade.texture } : shade;
}

/** The property that holds a subject's colour; --commcost-… sets it from outside. */
const property = (subject: Subject) => `--${subject.replaceAll("_", "-")}-color`;

const all = Object.keys(subjects) as Subject[];
const own = all.filter((subject) => "light" in subjects[subject]);
const holder = (subject: Subject): Subject => {
  const shade: Shade = subjects[subject];
  return "like" in shade ? (shade.like as Subject) : subject;
};

/** Relative luminance, as WCAG counts it. */
function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

/** The text that reads best on a colour: black or white, of which one always has a contrast of 4.5. */
export const textOn = (hex: string): string => (luminance(hex) > 0.179 ? "#000000" : "#ffffff");

/** Every colour as a custom property. */
export const subjectColors = `:host{${own
  .map((subject) => {
    const { light, dark } = shadeOf(subject);
    return `${property(subject)}:var(--commcost${property(subject).slice(1)},light-dark(${light},${dark}))`;
  })
  .join(";")}}`;

/** Classes for marks: `fill-compute`, `line-compute`, and `on-compute` for text upon it. */
export const subjectClasses: CSSResult = unsafeCSS(
  all
    .map((subject) => {
      const color = `var(${property(holder(subject))})`;
      const { light, dark } = shadeOf(subject);
      return `svg .fill-${subject}{fill:${color}}svg .line-${subject}{stroke:${color}}svg .on-${subject}{fill:light-dark(${textOn(light)},${textOn(dark)})}`;
    })
    .join(""),
);

/** How many origins are told apart by hue: neighbours also by lightness, for the colour-blind. */
const mostOrigins = 16;

/** The colour of what comes from one of so many ranks; ink can be read on it, on light and on dark paper. */
export function originColor(origin: number, origins: number): string {
  const hue = Math.round((origin * 360) / Math.min(origins, mostOrigins) + 25) % 360;
  const [light, dark] = origin % 2 === 0 ? [0.84, 0.49] : [0.74, 0.4];
  return `light-dark(oklch(${light} 0.12 ${hue}), oklch(${dark} 0.1 ${hue}))`;
}
