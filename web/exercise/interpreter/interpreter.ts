import { Part, Refused } from "../../engine/part.js";
import { startWorker } from "../../state/worker.js";
import type { Asked, Ended, Loaded, Said } from "./messages.js";

/**
 * Whether this build of the page has an interpreter: the hosted page has one; a single file, frames and tags have none.
 */
declare const PYTHON: boolean;

/** After this time, ms, a run is aborted. */
const longestRun = 2000;

/** The outcome of a run: the calls that ended, and why no more did. */
export interface Run {
  loaded?: Loaded;
  calls: Ended[];
  /** What was printed, before the first call and in each. */
  printed: string[];
  /** Whether it was still running when its time was up. */
  late: boolean;
  /** The error that ended the interpreter itself. */
  failed?: string;
}

/** Kept for offline use even if the service worker started after these files were fetched. */
function keptLater(addresses: readonly string[]): void {
  try {
    const workers = navigator.serviceWorker;
    const again = () => addresses.forEach((address) => void fetch(address).catch(() => {}));
    if (workers && !workers.controller) workers.addEventListener("controllerchange", again, { once: true });
  } catch {
    // In a sandbox, even reading the property throws.
  }
}

/** Runs Python in the background; each run has its own interpreter, so that nothing of one is left in the next. */
export class Interpreter {
  /** Its files; nothing where this page has none. */
  readonly part = PYTHON ? new Part("Python", () => this.fetched()) : undefined;
  private script = "";
  private binary!: ArrayBuffer;
  /** Prepared for the next run. */
  private spare: Promise<Worker> | undefined;
  private running: (() => void) | undefined;

  private async fetched(): Promise<void> {
    const { address, binary, script } = await import("./micropython.js");
    const answer = await fetch(binary);
    if (!answer.ok) throw new Refused(answer);
    this.script = script;
    this.binary = await answer.arrayBuffer();
    keptLater([address, answer.url]);
    this.spare = this.started();
    await this.spare;
  }

  private started(): Promise<Worker> {
    return new Promise((resolve, reject) => {
      const worker = startWorker(this.script, "module");
      const fail = (why: string) => {
        worker.terminate();
        this.spare = undefined;
        reject(new Error(why));
      };
      worker.onmessage = ({ data }: MessageEvent<Said>) => ("failed" in data ? fail(data.failed) : resolve(worker));
      worker.onerror = (event) => {
        event.preventDefault();
        fail("the browser started no worker for it");
      };
      worker.postMessage({ binary: this.binary } satisfies Asked);
    });
  }

  /** Defines what `code` defines, then makes each call of its function `name`. Aborts a run in progress. */
  async run(code: string, name: string, calls: readonly string[]): Promise<Run> {
    this.stop();
    const run: Run = { calls: [], printed: [""], late: false };
    const worker = await (this.spare ??= this.started());
    this.spare = undefined;
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        worker.terminate();
        this.running = undefined;
        resolve();
      };
      const timer = setTimeout(() => {
        run.late = true;
        end();
      }, longestRun);
      this.running = end;
      worker.onmessage = ({ data }: MessageEvent<Said>) => {
        if ("printed" in data) run.printed[run.printed.length - 1] += data.printed;
        else if ("loaded" in data || "ended" in data) {
          if ("loaded" in data) run.loaded = data.loaded;
          else run.calls.push(data.ended);
          run.printed.push("");
        } else {
          if ("failed" in data) run.failed = data.failed;
          end();
        }
      };
      worker.postMessage({ code, name, calls } satisfies Asked);
    });
    this.spare = this.started();
    this.spare.catch(() => {});
    return run;
  }

  /** Aborts the current run. */
  stop(): void {
    this.running?.();
  }

  /** Shuts everything down; a later run starts anew. */
  close(): void {
    this.stop();
    void this.spare?.then(
      (worker) => worker.terminate(),
      () => {},
    );
    this.spare = undefined;
  }
}
