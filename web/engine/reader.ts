// The other half of wire.ts: what the module has written.
import type { FieldDescription } from "#engine";
import { choice, columnar, list, no, noted, number, numbers, object, row, short, text, wholes, yes } from "./tags";

const decoder = new TextDecoder();

type Columns = readonly FieldDescription[] | undefined;
type Values = Record<string, unknown>;

const emptyRows = new WeakMap<readonly FieldDescription[], Values>();

/** A row preallocated for all of these: copied whole, it does not grow value by value. */
function rowOf(columns: readonly FieldDescription[]): Values {
  let empty = emptyRows.get(columns);
  if (!empty) emptyRows.set(columns, (empty = Object.fromEntries(columns.map(({ name }) => [name, undefined]))));
  return { ...empty };
}

/** From this many rows on, each is made only when it is read: for fewer that costs more than making them. */
const longRows = 32;

/** Reads the values that the module has written, one after another, before it is called again. */
export class Reader {
  private at = 0;
  private view: DataView;

  constructor(private bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer);
  }

  /** Where the next value begins. */
  get place(): number {
    return this.at;
  }
  set place(place: number) {
    this.at = place;
  }

  /** Moves to that place of the module's memory, which is a new one once it has grown. */
  from(bytes: Uint8Array, at: number): this {
    if (bytes !== this.bytes) this.view = new DataView(bytes.buffer);
    this.bytes = bytes;
    this.at = at;
    return this;
  }

  count(): number {
    const count = this.view.getUint32(this.at, true);
    this.at += 4;
    return count;
  }

  /** The notes of the row that follows, if it has any; goes to its first value. */
  notes(): unknown {
    const notes = this.bytes[this.at++] === noted ? this.read() : undefined;
    if (notes !== undefined) ++this.at;
    return notes;
  }

  private text(): string {
    const begin = this.at + 4;
    const end = begin + this.count();
    this.at = end;
    if (end - begin > short) return decoder.decode(this.bytes.subarray(begin, end));
    let text = "";
    for (let index = begin; index < end; ++index) {
      const code = this.bytes[index]!;
      if (code > 127) return decoder.decode(this.bytes.subarray(begin, end));
      text += String.fromCharCode(code);
    }
    return text;
  }

  readAt(place: number, columns: Columns): unknown {
    this.at = place;
    return this.read(columns);
  }

  /** Whether rows follow, or lists of rows, which callers may not read to the end. */
  private isLong(): boolean {
    const tag = this.bytes[this.at];
    if (tag === list) return this.bytes[this.at + 5] === columnar && this.view.getUint32(this.at + 1, true) > 0;
    return tag === columnar && this.view.getUint32(this.at + 1, true) >= longRows;
  }

  /** Makes the next value, from its own bytes, when it is read; after that it is a value like any other. */
  private readLater(value: Values, { name, columns }: FieldDescription): void {
    const begin = this.at;
    this.skip(columns);
    const later = kept(this.bytes.subarray(begin, this.at));
    let made: unknown;
    Object.defineProperty(value, name, {
      configurable: true,
      enumerable: true,
      get: () => (made ??= later.reader.readAt(later.begin, columns)),
      set: (other) => Object.defineProperty(value, name, { value: other, writable: true }),
    });
  }

  /** Rows that come column by column. */
  private rows(columns: readonly FieldDescription[]): Values[] {
    const count = this.count();
    this.at += 4;
    const rows: Values[] = Array.from({ length: count }, () => rowOf(columns));
    for (const column of columns) {
      const { name } = column;
      switch (this.bytes[this.at++]) {
        case number:
          for (const one of rows) {
            one[name] = this.view.getFloat64(this.at, true);
            this.at += 8;
          }
          break;
        case choice:
          for (const one of rows) one[name] = column.choices![this.bytes[this.at++]!];
          break;
        case yes:
          for (const one of rows) one[name] = this.bytes[this.at++] !== 0;
          break;
        default:
          for (const one of rows) one[name] = this.read(column.columns, column.choices);
      }
    }
    return rows;
  }

  /** Skips the next value; `columns` as for read(). */
  skip(columns?: Columns): void {
    switch (this.bytes[this.at++]) {
      case choice:
        ++this.at;
        return;
      case number:
        this.at += 8;
        return;
      case text: {
        const length = this.count();
        this.at += length;
        return;
      }
      case numbers: {
        const length = this.count();
        this.at += 8 * length;
        return;
      }
      case wholes: {
        const length = this.count();
        this.at += 4 * length;
        return;
      }
      case list:
        for (let left = this.count(); left > 0; --left) this.skip(columns);
        return;
      case columnar: {
        this.at += 4;
        const length = this.count();
        this.at += length;
        return;
      }
      case row:
        for (const column of columns!) this.skip(column.columns);
        return;
      case object: {
        const members = this.count();
        this.at += 4;
        for (let left = members; left > 0; --left) {
          const length = this.count();
          this.at += length;
          this.skip();
        }
      }
    }
  }

  /** The next value; `columns` are the names of a row's values, and of the rows of a list, `choices` what it may be. */
  read(columns?: Columns, choices?: readonly string[]): unknown {
    switch (this.bytes[this.at++]) {
      case choice:
        return choices![this.bytes[this.at++]!];
      case no:
        return false;
      case yes:
        return true;
      case number:
        this.at += 8;
        return this.view.getFloat64(this.at - 8, true);
      case text:
        return this.text();
      case numbers: {
        const begin = this.at + 4;
        this.at = begin + 8 * this.count();
        return new Float64Array(this.bytes.buffer.slice(begin, this.at) as ArrayBuffer);
      }
      case list: {
        const values: unknown[] = [];
        for (let left = this.count(); left > 0; --left) values.push(this.read(columns));
        return values;
      }
      case wholes: {
        const values = new Array<number>(this.count());
        for (let index = 0; index < values.length; ++index) values[index] = this.count();
        return values;
      }
      case row: {
        const value = rowOf(columns!);
        const { bytes, view } = this;
        for (let place = 0; place < columns!.length; ++place) {
          const column = columns![place]!;
          const tag = bytes[this.at];
          if (tag === number) {
            value[column.name] = view.getFloat64(this.at + 1, true);
            this.at += 9;
          } else if ((tag === list || tag === columnar) && this.isLong()) this.readLater(value, column);
          else value[column.name] = this.read(column.columns, column.choices);
        }
        return value;
      }
      case columnar:
        return this.rows(columns!);
      case noted: {
        const notes = this.read();
        return { ...(this.read(columns) as object), notes };
      }
      case object: {
        const value: Record<string, unknown> = {};
        const members = this.count();
        this.at += 4;
        for (let left = members; left > 0; --left) value[this.text()] = this.read();
        return value;
      }
      default:
        return null;
    }
  }
}

/** Bytes of a shared buffer for answers: a buffer of its own costs more than copying a small answer. */
const usual = 16_384;

/** Bytes kept for later, one after the other; freed when nothing refers to them. */
class Room {
  private readonly bytes: Uint8Array;
  private readonly reader: Reader;
  private used = 0;

  constructor(size: number) {
    this.bytes = new Uint8Array(size);
    this.reader = new Reader(this.bytes);
  }

  has(size: number): boolean {
    return this.used + size <= this.bytes.length;
  }

  keep(bytes: Uint8Array): Kept {
    const begin = this.used;
    this.bytes.set(bytes, begin);
    this.used += bytes.length;
    return { reader: this.reader, begin };
  }
}

/** Where bytes are kept, and their reader: other readers may have moved it since. */
export interface Kept {
  readonly reader: Reader;
  readonly begin: number;
}

let room = new Room(usual);

/** A copy of these bytes. */
export function kept(bytes: Uint8Array): Kept {
  if (bytes.length > usual) return new Room(bytes.length).keep(bytes);
  if (!room.has(bytes.length)) room = new Room(usual);
  return room.keep(bytes);
}
