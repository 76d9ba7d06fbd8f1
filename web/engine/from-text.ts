/** A worker's engine out of its binary as text. */
export { load as engineFrom } from "./load";
