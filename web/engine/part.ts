/** After so long, ms, a part that is still on its way is said to be late. */
const patience = 10_000;

export type PartState = "unasked" | "coming" | "late" | "missing" | "here";

/** What a host answered that it should not have; anything else is told by the network, or by what reads the file. */
export class Refused extends Error {
  constructor({ url, status }: Response) {
    super(`the server answered ${status} for ${url.replace(/^.*\//, "")}`);
  }
}

/** What browsers throw for a file that did not arrive, or is not what it should be: their words name neither. */
const unread = /^(?:TypeError|SyntaxError|CompileError|LinkError)$/;

function reasonOf(error: unknown): string {
  if (globalThis.navigator?.onLine === false) return "you are offline";
  const { name, message } = error as Error;
  if (/security policy|unsafe-eval/i.test(message)) return "this page’s security policy forbids WebAssembly";
  if (name === "RuntimeError") return "WebAssembly did not start in this browser";
  return unread.test(name) ? "one of its files did not arrive, or arrived damaged" : message;
}

/**
 * Something that is fetched behind the page's first script: asked for once, and again where it did not come. Says `change`
 * when its state does.
 */
export class Part extends EventTarget {
  /**
   * Fetches the page anew where its host answers, and tells whether it does: a browser may keep a script that was refused
   * or damaged for as long as the page is open. Left out where the page is somebody else's.
   */
  static renew: (() => Promise<boolean>) | undefined;
  /** Those that failed: where one of them comes after all, the others may too. */
  private static readonly missing = new Set<Part>();

  state: PartState = "unasked";
  /** What its last try failed with. */
  error: unknown;
  /** How often it was asked for. */
  tries = 0;
  /** Kept once it is here, at whichever try. */
  readonly here: Promise<void>;
  declare private arrive: () => void;
  private asked: Promise<boolean> | undefined;
  private listening = false;

  /** `name` as a sentence begins with it: "The Plan view". `fetch` is told which try it is, from 1 on. */
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

  /** Asks for it unless it is on its way; answers whether it is here. Never rejects. */
  ask(): Promise<boolean> {
    return (this.asked ??= this.attempt());
  }

  /** Kept once it is here, missing or late: whoever waits need not wait longer. */
  async settled(): Promise<void> {
    void this.ask();
    if (this.state !== "coming") return;
    await new Promise((resolve) => this.addEventListener("change", resolve, { once: true }));
  }

  /** Asks for it even where it is on its way, which may never end. */
  anew(): Promise<boolean> {
    this.asked = undefined;
    return this.ask();
  }

  /** As a reader asks for it who was told that it is missing or late. */
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
