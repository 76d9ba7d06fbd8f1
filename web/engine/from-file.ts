import type { Engine } from "#engine";

/** A worker's engine out of its file. */
export const engineFrom = async (address: string): Promise<Engine> => (await import(address)).loadEngine();
