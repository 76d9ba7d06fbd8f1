import { unsafeCSS, type CSSResult } from "lit";
import { type Shade, type Subject, subjectProperty, subjects, upon } from "./tokens.js";

/** The colour and texture of a subject. */
export function shadeOf(subject: Subject): { light: string; dark: string; texture?: "lines" | "dots" } {
  const shade: Shade = subjects[subject];
  return "like" in shade ? { ...shadeOf(shade.like as Subject), texture: shade.texture } : shade;
}

const all = Object.keys(subjects) as Subject[];
const holder = (subject: Subject): Subject => {
  const shade: Shade = subjects[subject];
  return "like" in shade ? (shade.like as Subject) : subject;
};

/** Relative luminance, as defined by WCAG. */
function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

/** The better readable text colour on a colour: black or white, one of which always has a contrast of 4.5. */
export const textOn = (hex: string): string => (luminance(hex) > 0.179 ? upon.dark : upon.light);

/** Classes for marks: `fill-compute`, `line-compute`, and `on-compute` for text upon it. */
export const subjectClasses: CSSResult = unsafeCSS(
  all
    .map((subject) => {
      const color = `var(--${subjectProperty(holder(subject))})`;
      const { light, dark } = shadeOf(subject);
      return `svg .fill-${subject}{fill:${color}}svg .line-${subject}{stroke:${color}}svg .on-${subject}{fill:light-dark(${textOn(light)},${textOn(dark)})}`;
    })
    .join(""),
);
