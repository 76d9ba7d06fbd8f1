/** A picture as a document of its own: no script, no style sheet, in the reader's system colours. */

import { drawn, faces } from "../elements/tokens.js";
import { wrapped } from "./wrapped.js";

/** A picture that leaves the page: what it shows, of which scenario, and where it comes from. */
export interface Picture {
  svg: SVGSVGElement;
  title: string;
  /** Under the title: what to notice, or what it is about. */
  lines: readonly string[];
  /** Marks with their names, as they stand under the drawing. */
  legend: readonly { key: SVGSVGElement | null; label: string }[];
  source: string;
  link?: string | undefined;
}

/** Its colours: those of the reader's system, always the same, or the page's current ones. */
export type StillColors = "auto" | "light" | "dark" | "present";

const namespace = "http://www.w3.org/2000/svg";
const element = (name: string, attributes: Record<string, string | number>, text = ""): SVGElement => {
  const made = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.textContent = text;
  return made;
};

const colored = ["fill", "stroke"] as const;
type Colored = (typeof colored)[number];

/** The styles that a drawing's elements have besides their colours; all but the first are inherited. */
const presentation = [
  "opacity",
  "fill-opacity",
  "stroke-width",
  "stroke-dasharray",
  "stroke-opacity",
  "font-family",
  "font-size",
  "font-weight",
  "font-style",
  "text-anchor",
  "dominant-baseline",
  "paint-order",
  "stroke-linejoin",
];

/** What a drawing's elements are filled and drawn with under one scheme; `light-dark()` means nothing outside the page. */
function under<Found>(scheme: "light" | "dark" | undefined, drawing: SVGSVGElement, read: () => Found): Found {
  if (scheme) drawing.style.setProperty("color-scheme", scheme);
  const found = read();
  drawing.style.removeProperty("color-scheme");
  if (drawing.getAttribute("style") === "") drawing.removeAttribute("style");
  return found;
}

/** A colour on light and on dark paper; the second is nothing where there is only one. */
type Paint = readonly [light: string, dark: string | undefined];

/** The colours of one still: what is the same on both papers is an attribute, what is not a class of its style sheet. */
class Paints {
  private readonly classes = new Map<string, string>();

  constructor(private readonly colors: StillColors) {}

  /** What `read` gives on each paper. */
  both<Found>(drawing: SVGSVGElement, read: () => Found): readonly [Found, Found | undefined] {
    if (this.colors === "present") return [read(), undefined];
    if (this.colors !== "auto") return [under(this.colors, drawing, read), undefined];
    return [under("light", drawing, read), under("dark", drawing, read)];
  }

  set(target: SVGElement, property: Colored, [light, dark]: Paint): void {
    target.setAttribute(property, light);
    if (dark === undefined || dark === light) return;
    const rule = `{${property}:${dark}}`;
    const name = this.classes.get(rule) ?? `commcost-${this.classes.size}`;
    this.classes.set(rule, name);
    target.classList.add(name);
  }

  /** Attributes say what light paper has; where the reader's is dark, this is put over them. */
  get style(): string {
    const rules = [...this.classes].map(([rule, name]) => `.${name}${rule}`).join("");
    return rules && `@media (prefers-color-scheme:dark){${rules}}`;
  }
}

/** Computed styles of a drawing and all in it become attributes of its copy, each where it begins. */
function copied(original: SVGSVGElement, paints: Paints): SVGElement {
  const copy = original.cloneNode(true) as SVGElement;
  const originals = [original, ...original.querySelectorAll<SVGElement>("*")];
  const copies = [copy, ...copy.querySelectorAll<SVGElement>("*")];
  const styles = originals.map((one) => getComputedStyle(one));
  const [light, dark] = paints.both(original, () =>
    styles.map((style) => colored.map((name) => style.getPropertyValue(name))),
  );
  const places = new Map(originals.map((one, index) => [one as Element, index]));
  originals.forEach((one, index) => {
    const target = copies[index]!;
    const style = styles[index]!;
    const above = index === 0 ? undefined : places.get(one.parentElement!)!;
    strip(target);
    for (const name of presentation) {
      const value = style.getPropertyValue(name);
      const usual = name === "opacity" ? "1" : above !== undefined && styles[above]!.getPropertyValue(name);
      if (value !== usual) target.setAttribute(name, value);
    }
    colored.forEach((name, at) => {
      const paint: Paint = [light[index]![at]!, dark?.[index]![at]];
      const same = above !== undefined && light[above]![at] === paint[0] && dark?.[above]![at] === paint[1];
      if (!same) paints.set(target, name, paint);
    });
    if (style.display === "none" || one.classList.contains("on-screen")) target.setAttribute("display", "none");
  });
  return copy;
}

/** Takes from a copy what only the page understands, and what its computed style says anew. */
function strip(target: SVGElement): void {
  for (const name of target.getAttributeNames())
    if (["class", "style", "tabindex", "role", ...colored, ...presentation].includes(name) || name.startsWith("aria-"))
      target.removeAttribute(name);
  for (const comment of [...target.childNodes].filter(({ nodeType }) => nodeType === Node.COMMENT_NODE))
    comment.remove();
}

const letter = 7.2;
const lineHeight = 17;
const margin = 12;
/** Narrower drawings are centred: their texts need room. */
const leastWidth = 420;

/** A still while it is put together: the next thing stands under what is there. */
class Sheet {
  readonly page = element("svg", { xmlns: namespace, role: "img" });
  y = 6;
  private readonly paints: Paints;
  private readonly ink: Record<"strong" | "soft" | "paper", Paint>;
  private readonly font: Record<string, string | number>;

  constructor(
    private readonly picture: Picture,
    colors: StillColors,
  ) {
    this.paints = new Paints(colors);
    const { svg } = picture;
    const paint = (property: string): Paint => this.paints.both(svg, () => resolved(svg, property));
    this.ink = { strong: paint("--ink"), soft: paint("--ink-soft"), paper: paint("--paper") };
    const written = svg.querySelector("text") ?? svg;
    this.font = { "font-family": getComputedStyle(written).fontFamily || faces.sans, "font-size": drawn.small };
  }

  get width(): number {
    return Math.max(leastWidth, this.picture.svg.viewBox.baseVal.width);
  }

  private text(words: string, x: number, y: number, ink: Paint, style: Record<string, string | number> = {}): void {
    const made = element("text", { ...this.font, ...style, x, y }, words);
    this.paints.set(made, "fill", ink);
    this.page.append(made);
  }

  /** Writes text in lines of so many px. */
  write(words: string, ink: "strong" | "soft", width: number, style: Record<string, string | number> = {}): void {
    for (const line of wrapped(words, Math.floor(width / letter))) {
      this.y += lineHeight;
      this.text(line, margin, this.y, this.ink[ink], style);
    }
  }

  draw(): void {
    const { width, height } = this.picture.svg.viewBox.baseVal;
    const drawing = copied(this.picture.svg, this.paints);
    for (const [name, value] of Object.entries({
      x: margin + (this.width - width) / 2,
      y: this.y + 8,
      width,
      height,
      overflow: "visible",
    }))
      drawing.setAttribute(name, String(value));
    this.page.append(drawing);
    this.y += 8 + height;
  }

  legend(): void {
    const { legend } = this.picture;
    if (legend.length === 0) return;
    let x = margin;
    this.y += lineHeight + 4;
    for (const { key, label } of legend) {
      const wide = 30 + label.length * letter;
      if (x + wide > this.width && x > margin) {
        x = margin;
        this.y += lineHeight;
      }
      if (key) this.mark(key, x);
      this.text(label, x + 30, this.y, this.ink.soft);
      x += wide + 16;
    }
    this.y += 4;
  }

  private mark(key: SVGSVGElement, x: number): void {
    const mark = copied(key, this.paints);
    const { width, height } = key.viewBox.baseVal;
    const scale = Math.min(1, 24 / width);
    const place = { x, y: this.y - height * scale, width: width * scale, height: height * scale };
    for (const [name, value] of Object.entries(place)) mark.setAttribute(name, String(value));
    this.page.append(mark);
  }

  /** Paper under all of it, its size, and words for those who cannot see it. */
  close(): string {
    const size = { width: this.width + 2 * margin, height: Math.ceil(this.y + margin) };
    for (const [name, value] of Object.entries({ ...size, viewBox: `0 0 ${size.width} ${size.height}` }))
      this.page.setAttribute(name, String(value));
    const paper = element("rect", { width: "100%", height: "100%" });
    this.paints.set(paper, "fill", this.ink.paper);
    const { title, lines } = this.picture;
    const { style } = this.paints;
    this.page.prepend(
      element("title", {}, title),
      element("desc", {}, lines.join(" ")),
      ...(style ? [element("style", {}, style)] : []),
      paper,
    );
    return new XMLSerializer().serializeToString(this.page);
  }
}

/** The picture as an SVG that stands alone, in an `<img>` too. */
export function standaloneSvg(picture: Picture, colors: StillColors = "auto"): string {
  const sheet = new Sheet(picture, colors);
  sheet.write(picture.title, "strong", sheet.width * 0.85, { "font-size": drawn.body, "font-weight": 600 });
  for (const line of picture.lines) sheet.write(line, "soft", sheet.width);
  sheet.draw();
  sheet.legend();
  const signed = [picture.source, picture.link].filter(Boolean).join(" · ");
  sheet.y += 4;
  sheet.write(signed.replace(/.{90}(?=\S{20})/g, "$& "), "soft", sheet.width * 1.1, { "font-size": drawn.fine });
  return sheet.close();
}

/** A custom property's colour as it is just now. */
function resolved(near: SVGSVGElement, property: string): string {
  const probe = element("g", {});
  probe.style.setProperty("color", `var(${property})`);
  near.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** The picture as a PNG at twice its size. */
export async function png(picture: Picture): Promise<Blob> {
  const text = standaloneSvg(picture, "present");
  const [, width, height] = /<svg[^>]*? width="(\d+)" height="(\d+)"/.exec(text)!.map(Number) as [
    number,
    number,
    number,
  ];
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    const image = new Image(width * 2, height * 2);
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = width * 2;
    canvas.height = height * 2;
    canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The picture could not be made"))), "image/png");
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}
