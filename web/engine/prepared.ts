import type { Caller } from "./caller";
import type { LazyResults } from "./lazy";
import type { Kept } from "./reader";

/** What a calculation that is no longer referenced leaves in the module. */
const left = new FinalizationRegistry<() => void>((close) => close());

/** How many results are kept in case the same inputs come again, as with a slider moved to and fro. */
const mostKept = 16;

const isPlain = (value: unknown): value is string | number | boolean | undefined =>
  value === undefined || typeof value === "number" || typeof value === "string" || typeof value === "boolean";

/**
 * A calculation whose inputs are kept in the module: only changes cross, and results are decoded when they are read.
 */
export class Prepared {
  /** Every plain value that was set, as the module has it or will have it. */
  private readonly values = new Map<string, unknown>();
  /** What the module does not have yet. */
  private readonly waiting = new Set<string>();
  /** Results by these values, the last used at the end; valid until something other than a plain value is set. */
  private readonly kept = new Map<string, Kept>();

  constructor(
    private handle: number,
    private readonly caller: Caller,
    private readonly results: LazyResults,
    /** Of the inputs, by name. */
    private readonly places: ReadonlyMap<string, number>,
    /** What a getter of the inputs threw. */
    private cause: unknown,
  ) {
    left.register(this, () => caller.module.close_prepared(handle), this);
  }

  private checkOpen(): void {
    if (this.handle === 0) throw new Error("this calculation was closed before");
  }

  set(name: string, value: unknown): this {
    this.checkOpen();
    const field = String(name);
    if (isPlain(value)) {
      this.values.set(field, value);
      this.waiting.add(field);
      return this;
    }
    // The caller may modify what it holds.
    this.values.delete(field);
    this.waiting.delete(field);
    this.kept.clear();
    this.pass(field, value);
    return this;
  }

  private pass(name: string, value: unknown): void {
    const place = typeof value === "number" ? this.places.get(name) : undefined;
    if (place !== undefined) return this.caller.module.set_number(value as number, place, this.handle);
    const { size, thrown } = this.caller.pass((writer) => writer.writeNamed(name, value));
    this.cause = thrown ?? this.cause;
    this.caller.module.set(size, this.handle);
  }

  /** The values that were set, distinguished as the module would: by their lengths, whatever they contain. */
  private key(): string {
    let key = "";
    for (const [name, value] of this.values) {
      const text = String(value);
      key += `${name.length} ${text.length} ${typeof value} ${name}${text}`;
    }
    return key;
  }

  run(): object {
    this.checkOpen();
    const key = this.key();
    const { kept } = this;
    let row = kept.get(key);
    if (row) {
      kept.delete(key);
    } else {
      for (const name of this.waiting) this.pass(name, this.values.get(name));
      this.waiting.clear();
      row = this.caller.kept(this.caller.module.run_prepared(this.handle), this.cause);
      if (kept.size === mostKept) kept.delete(kept.keys().next().value!);
    }
    kept.set(key, row);
    // Changes to the results of one run must not affect another's.
    return this.results.of(row);
  }

  close(): void {
    if (this.handle === 0) return;
    left.unregister(this);
    this.caller.module.close_prepared(this.handle);
    this.handle = 0;
    this.kept.clear();
  }
}
