// The worker that reads files: { file } is answered with what the file holds.
import { answering } from "../answering.js";
import { ready } from "../parts.js";
import { readFile } from "./read-file.js";

answering(async (engine, { file }: { file: Blob }, report) => {
  // What a file is, and so what reads it, is seen on the way.
  await ready(engine);
  return readFile(file, engine, report);
});
