/** After this time, ms, a part that is still loading counts as late. */
const patience = 10_000;

export type PartState = "unasked" | "coming" | "late" | "missing" | "here";

/** An unexpected answer from a host; other failures come from the network, or from reading the file. */
export class Refused extends Error {
  constructor({ url, status }: Response) {
    super(`the server answered ${status} for ${url.replace(/^.*\//, "")}`);
  }
}

/** What browsers throw for a file that did not arrive, or is invalid: their messages name neither. */
const unread = /^(?:TypeError|SyntaxError|CompileError|LinkError)$/;

function reasonOf(error: unknown): string {
  if (globalThis.navigator?.onLine === false) return "you are offline";
  const { name, message } = error as Error;
  if (/security policy|unsafe-eval/i.test(message))
    return "this page’s security policy forbids WebAssembly: add 'wasm-unsafe-eval' to script-src";
  if (name === "RuntimeError") return "WebAssembly did not start in this browser";
  return unread.test(name) ? "one of its files did not arrive, or arrived damaged" : message;
}

/**
 * Something that is fetched after the page's first script: requested once, and again if that failed. Fires `change`
 * when its state does.
 */
export class Part extends EventTarget {
  /**
   * Reloads the page if its host answers, and returns whether it does: a browser may keep a script that was refused or
   * damaged for as long as the page is open. Left out if the page is somebody else's.
   */
  static renew: (() => Promise<boolean>) | undefined;
  /** Those that failed: if one of them loads after all, the others may too. */
  private static readonly missing = new Set<Part>();

  state: PartState = "unasked";
  /** What its last try failed with. */
  error: unknown;
  /** How often it was asked for. */
  tries = 0;
  /** Resolved once it is loaded, at whichever try. */
  readonly here: Promise<void>;
  declare private arrive: () => void;
  private asked: Promise<boolean> | undefined;
  private listening = false;

  /** `name` as at the start of a sentence: "The Plan view". `fetch` receives the number of the try, from 1 on. */
  constructor(
    readonly name: string,
    private readonly fetch: (attempt: number) => Promise<unknown>,
  ) {
    super();
    this.here = new Promise((resolve) => (this.arrive = resolve));
  }

  /** Why it is missing, to follow a colon. */
  get reason(): string {
    return reasonOf(this.error);
  }

  /** Requests it unless it is loading; returns whether it is loaded. Never rejects. */
  ask(): Promise<boolean> {
    return (this.asked ??= this.attempt());
  }

  /** Resolved once it is loaded, missing or late: nothing should wait longer. */
  async settled(): Promise<void> {
    void this.ask();
    if (this.state !== "coming") return;
    await new Promise((resolve) => this.addEventListener("change", resolve, { once: true }));
  }

  /** Requests it even if it is loading, which may never end. */
  anew(): Promise<boolean> {
    this.asked = undefined;
    return this.ask();
  }

  /** As requested by a reader who was told that it is missing or late. */
  async again(): Promise<void> {
    if ((this.state !== "late" || !Part.renew) && (await this.anew())) return;
    await Part.renew?.();
  }

  private async attempt(): Promise<boolean> {
    const attempt = ++this.tries;
    const current = () => attempt === this.tries;
    this.become("coming");
    const timer = setTimeout(() => current() && this.become("late"), patience);
    try {
      await this.fetch(attempt);
      this.arrive();
      this.become("here");
      if (attempt > 1) for (const other of Part.missing) void other.ask();
      return true;
    } catch (error) {
      if (this.state === "here" || !current()) return this.state === "here";
      this.asked = undefined;
      this.error = error;
      this.become("missing");
      if (!this.listening) globalThis.addEventListener?.("online", () => void this.persist());
      this.listening = true;
      return false;
    } finally {
      clearTimeout(timer);
    }
  }

  /** A browser may say that it is online before a request goes through. */
  private async persist(): Promise<void> {
    for (const pause of [0, 1000, 4000]) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      if (this.state !== "missing" || (await this.ask())) return;
    }
  }

  private become(state: PartState): void {
    if (this.state === "here") return;
    this.state = state;
    Part.missing[state === "missing" ? "add" : "delete"](this);
    this.dispatchEvent(new Event("change"));
  }
}
