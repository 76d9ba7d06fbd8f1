import type { Engine, Problem } from "#engine";
import { problemsOf, type CalculationName, type ResultsOf } from "./run.js";

/** Where the engine's file lies, as seen from the page's scripts; empty where it is part of them. */
declare const ENGINE_FILE: string;

type Reply = { id: number; results?: unknown; problems?: Problem[]; failure?: string };
export type Reported<Results> = { results: Results; problems?: never } | { problems: Problem[]; results?: never };

const script = (address: string) => `import { loadEngine } from ${JSON.stringify(address)};
const engine = await loadEngine();
onmessage = ({ data: { id, name, inputs } }) => {
  try { postMessage({ id, results: engine[name](inputs) }); }
  catch (error) { postMessage({ id, problems: error.problems, failure: String(error) }); }
};
postMessage({ id: 0 });`;

/** Gives the page a frame and its input events. */
function breathe(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve();
    requestIdleCallback?.(() => port2.postMessage(0), { timeout: 30 }) ?? port2.postMessage(0);
  });
}

/**
 * Runs calculations beside the page: in a worker that imports the engine's file once more. Where there can be none (a
 * page in one file has no address to import from), calculations run on the page's own thread, one at a time with a
 * breath between them: callers keep each of them short.
 */
export class Background {
  private worker: Worker | undefined;
  private ready = false;
  private open = () => {};
  /** Kept once it is known whether there is a worker. */
  readonly started = new Promise<void>((resolve) => (this.open = resolve));
  private last = 0;
  private readonly waiting = new Map<number, (reply: Reply) => void>();

  constructor(private readonly engine: Engine) {
    try {
      if (ENGINE_FILE === "") throw new Error("The engine has no address");
      const address = new URL(ENGINE_FILE, import.meta.url).href;
      const blob = URL.createObjectURL(new Blob([script(address)], { type: "text/javascript" }));
      this.worker = new Worker(blob, { type: "module" });
      this.worker.onmessage = ({ data }: MessageEvent<Reply>) => {
        if (data.id === 0) {
          this.ready = true;
          this.open();
        }
        this.waiting.get(data.id)?.(data);
        this.waiting.delete(data.id);
      };
      this.worker.onerror = (event) => {
        event.preventDefault();
        this.stop("The worker failed");
      };
    } catch {
      this.stop();
    }
  }

  /** Whether calculations run beside the page, so that they may be long. */
  get beside(): boolean {
    return this.ready;
  }

  /** Something small to show while there is no worker yet; nothing where there is one. */
  preview<Name extends CalculationName>(name: Name, inputs: Record<string, unknown>): Reported<ResultsOf<Name>> | undefined {
    return this.ready ? undefined : this.here(name, inputs);
  }

  private here<Name extends CalculationName>(name: Name, inputs: Record<string, unknown>): Reported<ResultsOf<Name>> {
    try {
      const calculate = this.engine[name] as unknown as (inputs: unknown) => ResultsOf<Name>;
      return { results: calculate(inputs) };
    } catch (error) {
      return { problems: problemsOf(error) };
    }
  }

  stop(failure = "stopped"): void {
    this.worker?.terminate();
    this.worker = undefined;
    this.ready = false;
    for (const [id, resolve] of this.waiting) resolve({ id, failure });
    this.waiting.clear();
    this.open();
  }

  /** A calculation's results, or its problems. */
  async run<Name extends CalculationName>(name: Name, inputs: Record<string, unknown>): Promise<Reported<ResultsOf<Name>>> {
    if (this.ready) {
      const reply = await new Promise<Reply>((resolve) => {
        this.waiting.set(++this.last, resolve);
        this.worker!.postMessage({ id: this.last, name, inputs });
      });
      if (reply.results !== undefined) return { results: reply.results as ResultsOf<Name> };
      if (reply.problems) return { problems: reply.problems };
      // A worker that died leaves its work to the page.
    }
    await breathe();
    return this.here(name, inputs);
  }
}
