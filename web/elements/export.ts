/** Exports what the page shows: as a file, as a table. */

/**
 * Fired on the window when a file was offered in a sandbox, as there is no way to know whether that forbids downloads.
 */
export const perhapsBlocked = "commcost-perhaps-blocked";

/** Offers a file to the reader; in a sandbox that forbids downloads nothing happens, so offer copying as well. */
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
      // Impossible values have no number.
      const text = typeof cell === "number" && !Number.isFinite(cell) ? "" : String(cell);
      // A spreadsheet would run a cell that starts like a formula.
      const safe = typeof cell === "string" && /^[=+\-@\t]/.test(text) ? `'${text}` : text;
      return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
    })
    .join(",");
}

/** A table as CSV: what it is about in comments, header with units, rows. */
export function csv(
  header: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  comments: readonly string[] = [],
): string {
  // A comment of several lines becomes several comments: otherwise its next line would be a row.
  const said = comments.flatMap((comment) => comment.split(/[\r\n]+/)).map((line) => `# ${line}`);
  const lines = [...said, ...[header, ...rows].map(csvRow)];
  return `${lines.join("\r\n")}\r\n`;
}
