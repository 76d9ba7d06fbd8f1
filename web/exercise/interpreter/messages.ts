/** The messages between the page and the interpreter's worker. */

/** How the code's definitions ended: with the function, without it, or with an exception. */
export interface Loaded {
  found?: boolean;
  /** The traceback. */
  stopped?: string;
}

/** How one call ended: with a value, its type and, for a dict, the types of its values; or with an exception. */
export interface Ended {
  kind?: string;
  /** The value as Python writes it. */
  text?: string;
  types?: Record<string, string>;
  stopped?: string;
}

export type Asked = { binary: ArrayBuffer } | { code: string; name: string; calls: readonly string[] };

export type Said =
  | { ready: true }
  | { printed: string }
  | { loaded: Loaded }
  | { ended: Ended }
  | { done: true }
  | { failed: string };
