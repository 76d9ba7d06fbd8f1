/** Takes a chart out of the page: as a table, as a picture that stands alone. */

/** Said on the window where a file was handed out in a sandbox: whether that forbids downloads, nothing tells. */
export const perhapsBlocked = "commcost-perhaps-blocked";

/** Hands a file to the reader; in a sandbox that forbids downloads nothing happens, so offer copying beside it. */
export function download(name: string, content: BlobPart, type: string): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
  if (self.origin === "null" && location.protocol !== "file:") dispatchEvent(new Event(perhapsBlocked));
}

/** One row of CSV (RFC 4180): quoted where it must be. */
function csvRow(cells: readonly (string | number)[]): string {
  return cells
    .map((cell) => {
      // What cannot be has no number.
      const text = typeof cell === "number" && !Number.isFinite(cell) ? "" : String(cell);
      // A leading sign of a formula would be run by a spreadsheet.
      const safe = typeof cell === "string" && /^[=+\-@\t]/.test(text) ? `'${text}` : text;
      return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
    })
    .join(",");
}

/** A table as CSV: what it is of as comments, header with units, rows. */
export function csv(
  header: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  comments: readonly string[] = [],
): string {
  const lines = [...comments.map((line) => `# ${line}`), ...[header, ...rows].map(csvRow)];
  return `${lines.join("\r\n")}\r\n`;
}

const presentation = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-opacity",
  "opacity",
  "font-family",
  "font-size",
  "font-weight",
  "font-style",
  "text-anchor",
  "dominant-baseline",
  "paint-order",
  "stroke-linejoin",
];

/** Computed styles of an element and all in it become attributes of its copy. */
function copied(original: SVGElement): SVGElement {
  const copy = original.cloneNode(true) as SVGElement;
  const originals = [original, ...original.querySelectorAll<SVGElement>("*")];
  const copies = [copy, ...copy.querySelectorAll<SVGElement>("*")];
  originals.forEach((one, index) => {
    const computed = getComputedStyle(one);
    const target = copies[index]!;
    for (const name of presentation) target.setAttribute(name, computed.getPropertyValue(name));
    for (const name of ["class", "style", "tabindex", "role"]) target.removeAttribute(name);
    if (computed.display === "none" || one.classList.contains("on-screen")) target.setAttribute("display", "none");
  });
  return copy;
}

const namespace = "http://www.w3.org/2000/svg";
const element = (name: string, attributes: Record<string, string | number>, text = ""): SVGElement => {
  const made = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.textContent = text;
  return made;
};

/** Words in lines of so many characters. */
export function wrapped(text: string, most: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** A picture as it leaves the page: what it shows, of what, and where it comes from. */
export interface Picture {
  svg: SVGSVGElement;
  title: string;
  scenario?: string | undefined;
  /** Marks with their names, as they stand under the drawing. */
  legend: readonly { key: SVGSVGElement | null; label: string }[];
  source: string;
  link?: string | undefined;
}

const letter = 6.4;
const lineHeight = 17;

/** Writes lines of text from a height on; returns the height after them. */
function write(
  to: SVGElement,
  text: string,
  top: number,
  style: Record<string, string | number>,
  width: number,
): number {
  let y = top;
  for (const line of wrapped(text, Math.floor(width / letter))) {
    y += lineHeight;
    to.append(element("text", { x: 12, y, ...style }, line));
  }
  return y;
}

function writeLegend(
  to: SVGElement,
  picture: Picture,
  top: number,
  style: Record<string, string | number>,
  width: number,
) {
  let x = 12;
  let y = top + lineHeight + 4;
  for (const { key, label } of picture.legend) {
    const wide = 30 + label.length * letter;
    if (x + wide > width && x > 12) {
      x = 12;
      y += lineHeight;
    }
    if (key) {
      const mark = copied(key);
      const { width: keyWidth, height: keyHeight } = key.viewBox.baseVal;
      const scale = Math.min(1, 24 / keyWidth);
      for (const [name, value] of [
        ["x", x],
        ["y", y - keyHeight * scale],
        ["width", keyWidth * scale],
        ["height", keyHeight * scale],
      ] as const) {
        mark.setAttribute(name, String(value));
      }
      to.append(mark);
    }
    to.append(element("text", { x: x + 30, y, ...style }, label));
    x += wide + 16;
  }
  return picture.legend.length > 0 ? y + 4 : top;
}

/** The picture as a document of its own: nothing of it is asked of a style sheet. */
export function standaloneSvg(picture: Picture): string {
  const { width, height } = picture.svg.viewBox.baseVal;
  const computed = getComputedStyle(picture.svg);
  const [ink, soft, paper] = ["--ink", "--ink-soft", "--paper"].map((name) => resolved(picture.svg, name));
  const font = { "font-family": computed.fontFamily || "sans-serif", "font-size": 12.5 };
  const page = element("svg", { xmlns: namespace });
  const whole = width + 24;
  let y = write(page, picture.title, 6, { ...font, "font-size": 14.5, "font-weight": 600, fill: ink! }, whole * 0.85);
  if (picture.scenario) y = write(page, picture.scenario, y, { ...font, fill: soft! }, width);
  const drawing = copied(picture.svg);
  for (const [name, value] of Object.entries({ x: 12, y: y + 8, width, height })) {
    drawing.setAttribute(name, String(value));
  }
  page.append(drawing);
  y = writeLegend(page, picture, y + 8 + height, { ...font, fill: soft! }, width);
  const signed = [picture.source, picture.link].filter(Boolean).join(" · ");
  y = write(
    page,
    signed.replace(/.{90}(?=\S{20})/g, "$& "),
    y + 4,
    { ...font, "font-size": 11, fill: soft! },
    width * 1.1,
  );
  const total = Math.ceil(y + 12);
  for (const [name, value] of Object.entries({ width: whole, height: total, viewBox: `0 0 ${whole} ${total}` })) {
    page.setAttribute(name, String(value));
  }
  page.prepend(element("rect", { width: "100%", height: "100%", fill: paper! }));
  return new XMLSerializer().serializeToString(page);
}

/** A custom property's colour as it is just now: `light-dark()` means nothing outside the page. */
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
  const text = standaloneSvg(picture);
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
