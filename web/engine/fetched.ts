/** Where the parts of the engine lie, as seen from this script. */
declare const FIRST_PART: string;
declare const REST_PART: string;

const beside = (file: string) => fetch(new URL(file, import.meta.url));

/** Asks the host for a part of the engine. */
export const asked = (part: "first" | "rest"): Promise<Response> => beside(part === "first" ? FIRST_PART : REST_PART);
