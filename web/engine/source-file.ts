/** Where the engine's file lies, as seen from the page's scripts. */
declare const ENGINE_FILE: string;

/** What a worker makes its engine of: that file. */
export const source = (): string => new URL(ENGINE_FILE, import.meta.url).href;
