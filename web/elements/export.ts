/** Takes what the page shows out of it: as a file, as a table. */

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
  // A comment of several lines is as many comments: the next line of one would be a row.
  const said = comments.flatMap((comment) => comment.split(/[\r\n]+/)).map((line) => `# ${line}`);
  const lines = [...said, ...[header, ...rows].map(csvRow)];
  return `${lines.join("\r\n")}\r\n`;
}
