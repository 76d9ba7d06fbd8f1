import type { FieldDescription } from "#engine";
import { significant } from "../state/format.js";

/** Results as text that is read: values with their units, lists as tables. */

type Row = Readonly<Record<string, unknown>>;

/** Rows of a list that are shown; all of them are in the JSON. */
const mostRows = 20;
/** Numbers of a plain list that are shown. */
const mostNumbers = 12;

/** Names in a row are in a cell of their own; everything else that has parts is a section, or left to JSON. */
export const isNested = ({ kind, choices }: FieldDescription): boolean =>
  ["object", "lists", "numbers"].includes(kind) || (kind === "list" && !choices);

/** A list with at most one row, whose values belong to the outer row. */
const holdsOne = ({ name, kind, columns }: FieldDescription): boolean =>
  columns !== undefined && (kind === "object" || (kind === "list" && name === "layout"));

type Column = readonly [name: string, of: (row: Row) => unknown];

/** The columns of rows as data: single values, then nested ones, such as layout.tensor_parallel. */
export function flatColumns(fields: readonly FieldDescription[]): Column[] {
  const own = fields.filter((field) => !isNested(field)).map(({ name }): Column => [name, (row) => row[name]]);
  const inside = fields.filter(holdsOne).flatMap(({ name, columns }) =>
    flatColumns(columns!).map(
      ([member, of]): Column => [
        `${name}.${member}`,
        (row) => {
          const value = row[name];
          const held = (Array.isArray(value) ? value[0] : value) as Row | undefined;
          return held && of(held);
        },
      ],
    ),
  );
  return [...own, ...inside];
}

/** Digits of predictions, of all results and of the deciding ones; results that are exact to four decimals, as the exercise's are, are shown as they are. */
const digits = 6;
export const briefDigits = 4;
const isExact = (value: number): boolean => Number(value.toFixed(4)) === value;

/** A single value. */
function cell(value: unknown, most = digits): string {
  if (typeof value === "number") return isExact(value) ? String(value) : significant(value, most);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return cell(value.join(", "));
  return value === null || value === undefined || value === "" ? "-" : String(value);
}

/** Lines with their cells one below another: words to the left, numbers to the right. */
function aligned(rows: readonly string[][], right: readonly boolean[]): string[] {
  const widths = right.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row
      .map((text, column) => (right[column] ? text.padStart(widths[column]!) : text.padEnd(widths[column]!)))
      .join("  ")
      .trimEnd(),
  );
}

/** Name, value and unit, help, a line each. */
export function pairs(lines: readonly (readonly [string, string, string])[]): string[] {
  return aligned(
    lines.map((line) => [...line]),
    [false, false, false],
  );
}

/** A value with its unit; "1" if the unit is the plural of what is counted. */
const withUnit = (field: FieldDescription, value: unknown, most?: number): string => {
  const counted = field.kind === "whole" && value === 1;
  return `${cell(value, most)}${field.unit && typeof value === "number" && !counted ? ` ${field.unit}` : ""}`;
};

/** As many columns in a block as the width has room for; the first, the number of the row, is in each. */
function blocks(widths: readonly number[], width: number): number[][] {
  const found: number[][] = [];
  let used = Infinity;
  for (let column = 1; column < widths.length; ++column) {
    if (used + 2 + widths[column]! > width) {
      found.push([]);
      used = widths[0]!;
    }
    found.at(-1)!.push(column);
    used += 2 + widths[column]!;
  }
  return found;
}

/** A name in as many lines as it has words, so that its column is no wider than it must be. */
const stacked = (names: readonly string[]): string[][] => {
  const words = names.map((name) => name.split("_"));
  const lines = Math.max(...words.map(({ length }) => length));
  return Array.from({ length: lines }, (_, line) => words.map((all) => all[line - lines + all.length] ?? ""));
};

/** Rows as a table of at most that many characters a line; what is the same in all of them is a line below it. */
export function tableOf(
  columns: readonly FieldDescription[],
  rows: readonly Row[],
  width: number,
  most?: number,
): string[] {
  const shown = rows.slice(0, mostRows);
  const plain = columns.filter((column) => !isNested(column));
  const same = (column: FieldDescription) =>
    shown.length > 2 && shown.every((row) => cell(row[column.name]) === cell(shown[0]![column.name]));
  const varying = plain.filter((column) => !same(column));
  const common = plain.filter(same).map((column) => `${column.name} ${withUnit(column, shown[0]![column.name], most)}`);
  const body = shown.map((row, index) => [String(index + 1), ...varying.map(({ name }) => cell(row[name], most))]);
  const head = stacked(["", ...varying.map(({ name }) => name)]);
  const right = [true, ...varying.map(({ kind }) => kind === "whole" || kind === "real")];
  const all = [...head, ...body];
  const widths = right.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  const lines = blocks(widths, width).flatMap((block, index) => [
    ...(index > 0 ? [""] : []),
    ...aligned(
      // Names of this block may have fewer words than others have.
      [...head.filter((row) => block.some((column) => row[column] !== "")), ...body].map((row) => [
        row[0]!,
        ...block.map((column) => row[column]!),
      ]),
      [true, ...block.map((column) => right[column]!)],
    ),
  ]);
  return [
    ...lines,
    ...(common.length > 0 ? [`the same in all rows: ${common.join(", ")}`] : []),
    ...(rows.length > shown.length ? [`and ${rows.length - shown.length} more: --json`] : []),
  ];
}

function nested(field: FieldDescription, value: unknown, width: number): string[] {
  if (value === null || value === undefined) return [];
  const { columns } = field;
  if (field.kind === "object" && columns)
    return pairs(
      columns.filter((column) => !isNested(column)).map((column) => pair(column, (value as Row)[column.name])),
    );
  const items = [...(value as ArrayLike<unknown> & Iterable<unknown>)];
  if (field.kind === "list" && columns) return items.length === 0 ? ["none"] : tableOf(columns, items as Row[], width);
  if (field.kind === "lists") return [`${items.length} lists: --json`];
  const numbers = items
    .slice(0, mostNumbers)
    .map((item) => cell(item))
    .join(", ");
  return [items.length > mostNumbers ? `${numbers}, … ${items.length} in all: --json` : numbers || "none"];
}

const pair = (field: FieldDescription, value: unknown): [string, string, string] => [
  field.name,
  withUnit(field, value),
  field.help,
];

/** That nothing more was assumed than the first line says. */
const isNoAssumption = ({ name }: FieldDescription, results: Row): boolean =>
  name === "assumed" && (results[name] as unknown[]).length === 0;

/** The results of a calculation as lines of at most so many characters, where they can be. */
export function shownResults(fields: readonly FieldDescription[], results: Row, width: number): string {
  const single = fields.filter((field) => !isNested(field) && field.kind !== "text");
  const texts = fields.filter(({ kind }) => kind === "text");
  const sections = [
    pairs(single.map((field) => pair(field, results[field.name]))),
    // Texts to be read or copied as they are.
    ...texts.map((field) => [`${field.name}: ${field.help}`, cell(results[field.name])]),
    ...fields
      .filter((field) => isNested(field) && !isNoAssumption(field, results))
      .map((field) => [`${field.name}: ${field.help}`, ...nested(field, results[field.name], width)]),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}
