import { html, type TemplateResult } from "lit";
import { binaryBytes, bytes, exact, us } from "../state/format.js";
import { collectives, dimensions, parts, payloads, type LedgerRow } from "./message-words.js";
import type { CalculationName } from "../state/run.js";
import type { Scenario } from "../state/scenario.js";
import { meaning } from "./meaning.js";
import { csv, download } from "./export.js";

/** What a table tells of a message, whether of a training step or of a serving one. */
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

/** A column of a table of messages; `text` stands to the left. */
export interface MessageColumn<Row> {
  name: keyof Row & string;
  title: string;
  cell: (row: Row) => string;
  text?: boolean;
}

/** The columns of every such table, the dimension first. */
export const messageColumns: readonly [MessageColumn<MessageRow>, ...MessageColumn<MessageRow>[]] = [
  { name: "dimension", title: "Dimension", cell: (row) => dimensions[row.dimension].name, text: true },
  { name: "part", title: "For", cell: (row) => parts[row.part], text: true },
  { name: "payload", title: "Carries", cell: (row) => payloads[row.payload], text: true },
  { name: "collective", title: "Collective", cell: (row) => collectives[row.collective].name, text: true },
  { name: "group_size", title: "Group", cell: (row) => exact(row.group_size) },
  { name: "message_size_bytes", title: "Message", cell: (row) => binaryBytes(row.message_size_bytes, 3) },
  { name: "calls", title: "Calls", cell: (row) => exact(row.calls) },
  { name: "sent_bytes_per_gpu", title: "Sent per GPU", cell: (row) => bytes(row.sent_bytes_per_gpu, 3) },
  {
    name: "network_bytes_per_gpu",
    title: "To other nodes",
    cell: (row) => (row.network_bytes_per_gpu ? bytes(row.network_bytes_per_gpu, 3) : "–"),
  },
  { name: "time_us", title: "Time", cell: (row) => us(row.time_us) },
];

/** The columns' names, each with what the engine's table says of it in the list `path`. */
export const messageHead = <Row>(
  scenario: Scenario,
  calculation: CalculationName,
  path: string,
  columns: readonly MessageColumn<Row>[],
): TemplateResult[] =>
  columns.map(
    ({ name, title, text }) =>
      html`<th scope="col" class=${text ? "text" : ""}>${meaning(scenario, calculation, `${path}.${name}`, title)}</th>`,
  );

/** Hands out all of the engine's rows, not only what a table has columns for. */
export function saveMessages(name: string, rows: readonly object[]): void {
  const names = Object.keys(rows[0] ?? {});
  const cells = (row: object): (string | number)[] =>
    Object.values(row).map((cell: unknown) => (typeof cell === "number" ? cell : String(cell)));
  download(`${name}.csv`, csv(names, rows.map(cells)), "text/csv");
}
