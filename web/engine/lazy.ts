// Results that are decoded when they are read: to the caller they look like plain objects, frozen.
import type { FieldDescription } from "#engine";
import type { Kept, Reader } from "./reader";

type Values = Record<string, unknown>;

/** Makes results of the answers of one calculation. */
export class LazyResults {
  readonly names: readonly string[];
  readonly placeOf: ReadonlyMap<string, number>;

  constructor(readonly columns: readonly FieldDescription[]) {
    this.names = columns.map(({ name }) => name);
    this.placeOf = new Map(this.names.map((name, place) => [name, place]));
  }

  /** The row kept there, of which nothing has been read yet. */
  of(row: Kept): object {
    return new Proxy({}, new Row(this, row));
  }
}

/** One row; `values` holds what was read so far. */
class Row implements ProxyHandler<Values> {
  private readonly reader: Reader;
  private readonly notes: unknown;
  /** Where each value begins, as far as that was determined. */
  private readonly begins: number[];

  constructor(
    private readonly results: LazyResults,
    { reader, begin }: Kept,
  ) {
    this.reader = reader;
    reader.place = begin;
    this.notes = reader.notes();
    this.begins = [reader.place];
  }

  get(values: Values, name: string): unknown {
    const known = values[name];
    if (known !== undefined) return known;
    const place = this.results.placeOf.get(name);
    if (place === undefined) return name === "notes" ? this.notes : undefined;
    return (values[name] = this.valueAt(place));
  }

  private valueAt(place: number): unknown {
    const { reader, begins } = this;
    const { columns } = this.results;
    if (begins.length <= place) {
      reader.place = begins.at(-1)!;
      while (begins.length <= place) {
        reader.skip(columns[begins.length - 1]!.columns);
        begins.push(reader.place);
      }
    }
    reader.place = begins[place]!;
    return reader.read(columns[place]!.columns, columns[place]!.choices);
  }

  private owns(name: string): boolean {
    return this.results.placeOf.has(name) || (name === "notes" && this.notes !== undefined);
  }

  has(values: Values, name: string): boolean {
    return this.owns(name) || Reflect.has(values, name);
  }
  ownKeys(): string[] {
    return this.notes === undefined ? [...this.results.names] : [...this.results.names, "notes"];
  }
  getOwnPropertyDescriptor(values: Values, name: string): PropertyDescriptor | undefined {
    if (!this.owns(name)) return undefined;
    return { value: this.get(values, name), enumerable: true, configurable: true, writable: false };
  }
  set(): boolean {
    return false;
  }
  defineProperty(): boolean {
    return false;
  }
  deleteProperty(): boolean {
    return false;
  }
  setPrototypeOf(): boolean {
    return false;
  }
  preventExtensions(): boolean {
    return false;
  }
}
