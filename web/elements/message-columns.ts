import type { CommunicationLedgerResults } from "#engine";
import type { TemplateResult } from "lit";
import { html } from "./html.js";
import { exact, us } from "../state/format.js";
import type { CalculationName } from "../state/run.js";
import type { Scenario } from "../state/scenario.js";
import type { Sizes } from "../state/sizes.js";
import { choiceWord } from "./labels.js";
import { meaning } from "./meaning.js";
import { csv, download } from "./export.js";

export type LedgerRow = CommunicationLedgerResults["rows"][number];

/** The columns of a message, whether of a training step or of a serving one. */
type MessageRow = Pick<
  LedgerRow,
  | "dimension"
  | "part"
  | "payload"
  | "collective"
  | "group_size"
  | "message_size_bytes"
  | "calls"
  | "sent_bytes_per_gpu"
  | "network_bytes_per_gpu"
  | "time_us"
>;

/** A column of a table of messages; what has no cell of its own is a choice, in words. */
export interface MessageColumn<Row> {
  name: keyof Row & string;
  title: string;
  cell?: (row: Row, sizes: Sizes) => string;
}

/** Text columns are aligned left. */
export const textClass = <Row>({ cell }: MessageColumn<Row>): string => (cell ? "" : "text");

/** A column's text in a row. */
export const cellOf = <Row>(scenario: Scenario, { name, cell }: MessageColumn<Row>, row: Row): string =>
  cell?.(row, scenario.sizes) ?? choiceWord(scenario, name, String(row[name]));

/** The columns of every such table, the dimension first. */
export const messageColumns: readonly [MessageColumn<MessageRow>, ...MessageColumn<MessageRow>[]] = [
  { name: "dimension", title: "Dimension" },
  { name: "part", title: "For" },
  { name: "payload", title: "Carries" },
  { name: "collective", title: "Collective" },
  { name: "group_size", title: "Group", cell: (row) => exact(row.group_size) },
  { name: "message_size_bytes", title: "Message", cell: (row, sizes) => sizes.binaryBytes(row.message_size_bytes, 3) },
  { name: "calls", title: "Calls", cell: (row) => exact(row.calls) },
  { name: "sent_bytes_per_gpu", title: "Sent per GPU", cell: (row, sizes) => sizes.bytes(row.sent_bytes_per_gpu, 3) },
  {
    name: "network_bytes_per_gpu",
    title: "To other nodes",
    cell: (row, sizes) => (row.network_bytes_per_gpu ? sizes.bytes(row.network_bytes_per_gpu, 3) : "–"),
  },
  { name: "time_us", title: "Time", cell: (row) => us(row.time_us) },
];

/** The columns' names, each with its explanation from the engine's table in the list `path`. */
export const messageHead = <Row>(
  scenario: Scenario,
  calculation: CalculationName,
  path: string,
  columns: readonly MessageColumn<Row>[],
): TemplateResult[] =>
  columns.map(
    (column) =>
      html`<th scope="col" class=${textClass(column)}>${meaning(scenario, calculation, `${path}.${column.name}`, column.title)}</th>`,
  );

/** Exports all of the engine's rows, not only what a table has columns for. */
export function saveMessages(name: string, rows: readonly object[]): void {
  const names = Object.keys(rows[0] ?? {});
  const cells = (row: object): (string | number)[] =>
    Object.values(row).map((cell: unknown) => (typeof cell === "number" ? cell : String(cell)));
  download(`${name}.csv`, csv(names, rows.map(cells)), "text/csv");
}
