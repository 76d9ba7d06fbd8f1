import { existsSync, openAsBlob } from "node:fs";

/** A file to be read in pieces. */
export async function openFile(path: string): Promise<Blob> {
  if (!existsSync(path)) throw new Error("there is no such file");
  return openAsBlob(path);
}
