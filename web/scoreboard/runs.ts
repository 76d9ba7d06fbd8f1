/** A measured training step and its prediction, as in the scoreboard's table. */
export interface Run {
  /** Its id and layout in short, as bench/ prints them. */
  row: string;
  table: string;
  source: string;
  stack: string;
  recipe: string;
  model: string;
  precision: string;
  parameters_billion: number;
  num_layers: number;
  hidden_size: number;
  num_experts: number;
  accelerator: string;
  generation: string;
  num_gpus: number;
  tensor_parallel: number;
  pipeline_parallel: number;
  virtual_stages: number;
  context_parallel: number;
  expert_parallel: number;
  /** What sends tokens to experts, as published; empty: an all-to-all. */
  dispatcher: string;
  data_parallel: number;
  batch_size: number;
  global_batch_size: number;
  sequence_length: number;
  /** Dense, with experts, or dense on stages of a stack where such runs stall. */
  kind: string;
  measured_ms: number;
  predicted_ms: number;
  /** The band; both 0 where none is given. */
  low_ms: number;
  high_ms: number;
  /** A constant was fitted on it. */
  fitted: number;
  /** Its own source doubts it. */
  doubtful: number;
}

/** A measured time of a server and its prediction by constants that had not seen its source. */
export interface Served {
  source: string;
  recipe: string;
  model: string;
  accelerator: string;
  generation: string;
  /** A token of an answer, a prompt, or a request with all of both. */
  measured: "token" | "prompt" | "request";
  tensor_parallel: number;
  pipeline_parallel: number;
  batch_size: number;
  input_tokens: number;
  output_tokens: number;
  measured_ms: number;
  predicted_ms: number;
  low_ms: number;
  high_ms: number;
}

/** A measured collective and its prediction by constants that had not seen its site. */
export interface Timed {
  class: string;
  source: string;
  accelerator: string;
  collective: string;
  num_gpus: number;
  nodes: number;
  network: string;
  message_size_bytes: number;
  measured_us: number;
  predicted_us: number;
  low_us: number;
  high_us: number;
  doubtful: number;
}

/** A table as the build packs it: each column its numbers, or which of its texts each row has. */
export interface Packed {
  rows: number;
  numbers: Record<string, number[]>;
  texts: Record<string, { values: string[]; at: number[] }>;
}

/** The rows of a packed table. Columns that a row's type does not know are left alone; missing ones read as 0. */
export function unpacked<Row>(table: Packed): Row[] {
  return Array.from({ length: table.rows }, (_, index) => {
    const row: Record<string, string | number> = {};
    for (const [name, values] of Object.entries(table.numbers)) row[name] = values[index]!;
    for (const [name, { values, at }] of Object.entries(table.texts)) row[name] = values[at[index]!]!;
    return row as Row;
  });
}
