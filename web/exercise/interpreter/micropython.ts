import binary from "@micropython/micropython-webassembly-pyscript/micropython.wasm?url";
import script from "./worker.js?module-text";

/**
 * The interpreter's two files, fetched when a reader wants to write Python; both are called micropython
 * (service-worker.js).
 */
export { binary, script };

/** The address of this script. */
export const address = import.meta.url;
