import type { Engine, Problem } from "#engine";
import { source } from "virtual:commcost-source";
import type { Given } from "../engine/source.js";
import { arrived } from "./parts.js";
import script from "./calculating.js?worker-text";
import { isRefusal, problemsOf, type CalculationName, type ResultsOf } from "./run.js";
import { startWorker } from "./worker.js";

type Reply = { id: number; share?: number; results?: unknown; problems?: Problem[]; failure?: string };
type Reported<Results> = { results: Results; problems?: never } | { problems: Problem[]; results?: never };

/** Gives the page a frame and its input events. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve();
    requestIdleCallback?.(() => port2.postMessage(0), { timeout: 30 }) ?? port2.postMessage(0);
  });
}

/** A worker without an engine after this time, ms, is given up. */
const patience = 10_000;

/**
 * Runs calculations in a worker with its own engine. If there can be none (a policy without blob: workers), they run on
 * the page's own thread, with a pause between them.
 */
export class Background {
  protected worker: Worker | undefined;
  protected stopped = false;
  private last = 0;
  private readonly waiting = new Map<number, (reply: Reply | undefined) => void>();
  protected report: (share: number) => void = () => {};
  /** Resolved once it is known whether there is a worker. */
  protected readonly started: Promise<unknown>;

  constructor(
    protected readonly engine: Engine,
    text: string = script,
  ) {
    this.started = new Promise((open) => this.waiting.set(0, open));
    try {
      const worker = (this.worker = startWorker(text));
      worker.onmessage = ({ data }: MessageEvent<Reply>) => {
        if (data.share !== undefined) return this.report(data.share);
        if (data.id === 0 && data.failure) this.end();
        this.waiting.get(data.id)?.(data);
        this.waiting.delete(data.id);
      };
      worker.onerror = (event) => {
        event.preventDefault();
        this.end();
      };
      Promise.resolve(source.begin(engine))
        .then((made) => worker.postMessage(made))
        .catch(() => this.end());
      const late = setTimeout(() => this.end(), patience);
      void this.started.then(() => clearTimeout(late));
    } catch {
      this.end();
    }
  }

  private end(): void {
    this.worker?.terminate();
    this.worker = undefined;
    for (const resolve of this.waiting.values()) resolve(undefined);
    this.waiting.clear();
  }

  /** Stops at once; running calculations get no answer. */
  stop(): void {
    this.stopped = true;
    this.end();
  }

  private here<Name extends CalculationName>(name: Name, inputs: Record<string, unknown>): Reported<ResultsOf<Name>> {
    try {
      const calculate = this.engine[name] as unknown as (inputs: unknown) => ResultsOf<Name>;
      return { results: calculate(inputs) };
    } catch (error) {
      if (isRefusal(error)) return { problems: problemsOf(error) };
      // A defect: shown in place of the answer, and reported to error listeners.
      reportError(error);
      return { problems: [{ field: "", code: "failed", message: `The calculation failed: ${error}`, allowed: "" }] };
    }
  }

  /**
   * The parts that the worker lacks for a calculation, or for all of them, by name; nothing if its engine is in one
   * piece.
   */
  private async lacking(calculation: string | undefined): Promise<Record<string, Given> | undefined> {
    const names = source.needed?.(calculation, this.engine).filter((name) => !this.given.has(name)) ?? [];
    if (names.length === 0) return undefined;
    for (const name of names) this.given.add(name);
    return Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await source.part!(name, this.engine)] as const)),
    );
  }

  /** The parts it has received. */
  private readonly given = new Set<string>();
  /** Resolved once earlier questions have been sent: parts come before whatever needs them. */
  private sent: Promise<unknown> = Promise.resolve();

  /** The worker's reply; nothing if it died, or if the inputs can't be sent to it. */
  protected async ask(
    worker: Worker,
    calculation: string | undefined,
    question: Record<string, unknown>,
  ): Promise<Reply | undefined> {
    const parts = this.sent.then(() => this.lacking(calculation));
    this.sent = parts.catch(() => this.end());
    const asked = { ...question, parts: await parts.catch(() => undefined) };
    return new Promise((resolve) => {
      const id = ++this.last;
      this.waiting.set(id, resolve);
      try {
        worker.postMessage({ id, ...asked });
      } catch {
        this.waiting.delete(id);
        resolve(undefined);
      }
    });
  }

  /** A calculation's results, or its problems; nothing once stopped. */
  async run<Name extends CalculationName>(
    name: Name,
    inputs: Record<string, unknown>,
  ): Promise<Reported<ResultsOf<Name>> | undefined> {
    await Promise.all([this.started, arrived(this.engine, name)]);
    const { worker } = this;
    if (worker) {
      const reply = await this.ask(worker, name, { name, inputs });
      if (reply?.results !== undefined) return { results: reply.results as ResultsOf<Name> };
      if (reply?.problems) return { problems: reply.problems };
      // Whatever the worker could not do is left to the page, whose engine says what is wrong with it.
    } else {
      await breathe();
    }
    return this.stopped ? undefined : this.here(name, inputs);
  }
}
