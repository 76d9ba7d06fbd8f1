import type { Engine } from "#engine";

/** A worker's engine by its script, of a first part that is compiled. */
export const engineFrom = async (source: { address: string; first: WebAssembly.Module }): Promise<Engine> =>
  (await import(source.address)).engineOfCompiled(source.first);
