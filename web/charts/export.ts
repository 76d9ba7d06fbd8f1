/** Takes a chart out of the page: as a table, as a picture that stands alone. */

/** Hands a file to the reader; in a sandbox that forbids downloads nothing happens, so offer copying beside it. */
export function download(name: string, content: BlobPart, type: string): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** One row of CSV (RFC 4180): quoted where it must be. */
function csvRow(cells: readonly (string | number)[]): string {
  return cells
    .map((cell) => {
      const text = String(cell);
      // A leading sign of a formula would be run by a spreadsheet.
      const safe = typeof cell === "string" && /^[=+\-@\t]/.test(text) ? `'${text}` : text;
      return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
    })
    .join(",");
}

/** A table as CSV: header with units, then rows. */
export function csv(header: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return `${[header, ...rows].map(csvRow).join("\r\n")}\r\n`;
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

/** The drawing as a document of its own: computed styles become attributes, the paper is painted. */
export function standaloneSvg(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = [svg, ...svg.querySelectorAll<SVGElement>("*")];
  const copies = [copy, ...copy.querySelectorAll<SVGElement>("*")];
  originals.forEach((original, index) => {
    const computed = getComputedStyle(original);
    const target = copies[index]!;
    for (const name of presentation) target.setAttribute(name, computed.getPropertyValue(name));
    for (const name of ["class", "style", "tabindex", "role"]) target.removeAttribute(name);
    if (computed.display === "none") target.setAttribute("display", "none");
  });
  const { width, height } = svg.viewBox.baseVal;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  paper.setAttribute("width", "100%");
  paper.setAttribute("height", "100%");
  paper.setAttribute(
    "fill",
    getComputedStyle(svg).getPropertyValue("--paper").trim() && getComputedStyle(svg).backgroundColor,
  );
  copy.prepend(paper);
  return new XMLSerializer().serializeToString(copy);
}

/** The drawing as a PNG at twice its size. */
export async function png(svg: SVGSVGElement): Promise<Blob> {
  const { width, height } = svg.viewBox.baseVal;
  const address = URL.createObjectURL(new Blob([standaloneSvg(svg)], { type: "image/svg+xml" }));
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
