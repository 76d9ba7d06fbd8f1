import type { Engine } from "#engine";
import { InvalidInputError } from "../../engine/invalid-input-error.js";
import { Background, breathe } from "../background.js";
import { arrived } from "../parts.js";
import type { Reading } from "./read-file.js";
import script from "./worker.js?worker-text";

/** Reads files in the same way on the page's own thread, with a pause between pieces. */
export class BackgroundReader extends Background {
  constructor(engine: Engine) {
    super(engine, script);
  }

  /**
   * The content of a file; `report` is called with the share that was read. Throws as readFile does, and yields nothing
   * once stopped.
   */
  async read(file: Blob, report: (share: number) => void): Promise<Reading | undefined> {
    await this.started;
    const { worker } = this;
    if (worker) {
      this.report = report;
      const reply = await this.ask(worker, undefined, { file });
      if (reply?.results !== undefined) return reply.results as Reading;
      if (reply?.problems) throw new InvalidInputError(reply.problems);
      if (reply) throw new Error(reply.failure);
    }
    if (this.stopped) return undefined;
    // What a file is, and so which code reads it, turns out along the way.
    await arrived(this.engine);
    const { readFile } = await import("./read-file.js");
    return readFile(file, this.engine, async (share) => {
      if (this.stopped) throw new DOMException("stopped", "AbortError");
      report(share);
      await breathe();
    });
  }
}
