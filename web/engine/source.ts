/** What a worker makes its engine of. */
export interface Source {
  /** What it begins with. */
  begin: () => unknown;
  /** The parts that a calculation needs beside that, in their order; those of all calculations where none is named. Left out where it asks for them itself. */
  needed?: (calculation: string | undefined) => readonly string[];
  part?: (name: string) => Promise<Uint8Array<ArrayBuffer>>;
}
