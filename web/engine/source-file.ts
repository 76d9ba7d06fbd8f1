import type { Source } from "./source";

/** Where the engine's file lies, as seen from the page's scripts. */
declare const ENGINE_FILE: string;

/** A worker makes its engine of that file. */
export const source: Source = { begin: () => new URL(ENGINE_FILE, import.meta.url).href };
