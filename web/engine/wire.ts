// How values cross into WebAssembly and out of it: in one piece, as core/base/wire.h describes. What a caller passes is
// copied before WebAssembly sees any of it: nothing that a getter or a proxy does can unwind through the module, and
// nothing that a caller can build may exhaust its memory.
import { foreign, list, no, nothing, number, numbers, object, short, text, yes } from "./tags";

/** Deeper than any of our inputs; a cyclic object ends here. */
const deepest = 8;
/** Numbers in lists and characters of text and names that one call may pass: two full axes of a sweep, and some. */
const mostValues = 16_777_216;
/** Members of objects, and values in lists that are not numbers alone, that one call may pass. */
const mostMembers = 131_072;
/** Unknown members of the inputs that are passed on, to be named; the others are counted. */
const mostUnknown = 100;
/** Characters of a name that are passed on: more than any of our inputs has. */
const longestName = 64;
/** Of core/base/wire.h: from here on a name's length is a place. */
const firstPlace = 0xffff0000;
/** Bytes of the buffer that is kept between calls. */
const usual = 16_384;

const encoder = new TextEncoder();

/** Lent to the first writer: a getter may call the engine while the outer call is being written. */
let spare: Writer | undefined;

/** Inputs by name: the place of each in its table, or nothing if they have no places. */
export type Names = ReadonlyMap<string, number | undefined>;

/** A writer of inputs that may have these names; to be released. */
export function writerOf(known: Names): Writer {
  const writer = spare ?? new Writer();
  spare = undefined;
  return writer.of(known);
}

const ofTypedArrays = Object.getPrototypeOf(Float64Array.prototype);
const getterOf = (name: string) => Object.getOwnPropertyDescriptor(ofTypedArrays, name)!.get!;
/** Length, buffer and offset of a typed array, whatever properties were put over them; length 0 if it is detached. */
const [lengthOf, bufferOf, offsetOf] = [getterOf("length"), getterOf("buffer"), getterOf("byteOffset")];

const unreadable = "a value that cannot be read";

/** Writes whatever a caller passes: flags, numbers, text, lists, objects; a word in place of anything else. */
export class Writer {
  private bytes = new Uint8Array(usual);
  private view = new DataView(this.bytes.buffer);
  private end = 0;
  private values = mostValues;
  private members = mostMembers;
  private known: Names = new Map();
  /** What the first throwing getter or proxy threw; the problem's cause. */
  thrown: unknown;

  /** The same writer, which has written nothing. */
  of(known: Names): this {
    this.end = 0;
    this.values = mostValues;
    this.members = mostMembers;
    this.known = known;
    this.thrown = undefined;
    return this;
  }

  /** The bytes of `value`, good until release(). */
  write(value: unknown): Uint8Array {
    this.writeValue(value, 0);
    return this.bytes.subarray(0, this.end);
  }

  /** The bytes of a name and a value, or of the name alone where there is none. */
  writeNamed(name: string, value: unknown): Uint8Array {
    this.tag(text);
    this.text(nameOf(String(name)));
    if (value !== undefined) this.writeValue(value, 1);
    return this.bytes.subarray(0, this.end);
  }

  /** Passes it to the next call, unless it has grown. */
  release(): void {
    this.thrown = undefined;
    if (this.bytes.length === usual) spare = this;
  }

  /** Makes room for `size` bytes more and returns where they begin. */
  private room(size: number): number {
    const begin = this.end;
    this.end += size;
    if (this.end > this.bytes.length) {
      const longer = new Uint8Array(2 * this.end);
      longer.set(this.bytes);
      this.bytes = longer;
      this.view = new DataView(longer.buffer);
    }
    return begin;
  }

  // Room is made before the buffer is read, since it may be a new one afterwards.

  private tag(tag: number) {
    const at = this.room(1);
    this.bytes[at] = tag;
  }

  private count(count: number) {
    const at = this.room(4);
    this.view.setUint32(at, count, true);
  }

  private number(value: number) {
    const at = this.room(9);
    this.bytes[at] = number;
    this.view.setFloat64(at + 1, value, true);
  }

  private text(value: string) {
    const begin = this.room(4 + 3 * value.length);
    const written = this.ascii(value, begin + 4) ?? encoder.encodeInto(value, this.bytes.subarray(begin + 4)).written;
    this.view.setUint32(begin, written, true);
    this.end = begin + 4 + written;
  }

  /** How many bytes were written; nothing where the text is long or has other letters. */
  private ascii(value: string, begin: number): number | undefined {
    if (value.length > short) return undefined;
    for (let index = 0; index < value.length; ++index) {
      const code = value.charCodeAt(index);
      if (code > 127) return undefined;
      this.bytes[begin + index] = code;
    }
    return value.length;
  }

  /** What no input takes; the module refuses it with these words. */
  private foreign(what: string) {
    this.tag(foreign);
    this.text(what);
  }

  private writeValue(value: unknown, depth: number): void {
    switch (typeof value) {
      case "undefined":
        return this.tag(nothing);
      case "boolean":
        return this.tag(value ? yes : no);
      case "number":
        return this.number(value);
      case "string":
        if ((this.values -= value.length) < 0) return this.foreign(`text of ${value.length} characters`);
        this.tag(text);
        return this.text(value);
      case "object":
        return value === null ? this.tag(nothing) : this.writeObject(value, depth);
      default:
        return this.foreign(`a ${typeof value}`);
    }
  }

  private writeObject(value: object, depth: number): void {
    if (depth > deepest) return this.foreign("values nested too deeply");
    const begin = this.end;
    try {
      if (isList(value)) this.writeList(value, depth);
      else this.writeMembers(value as Record<string, unknown>, depth);
    } catch (error) {
      this.thrown ??= error;
      this.end = begin;
      this.foreign(unreadable);
    }
  }

  private writeMembers(from: Record<string, unknown>, depth: number): void {
    const names = Object.keys(from);
    if (depth > 0 && (this.members -= names.length + 1) < 0) return this.foreign("an object of too many members");
    this.tag(object);
    const counts = this.room(8);
    let written = 0;
    let leftOut = 0;
    let unknown = 0;
    for (const name of names) {
      if (depth === 0 && !this.known.has(name) && ++unknown > mostUnknown) {
        ++leftOut;
        continue;
      }
      const began = this.end;
      const place = depth === 0 ? this.known.get(name) : undefined;
      if (place === undefined) this.text(nameOf(name));
      else this.count(firstPlace + place);
      // A key set to undefined counts as absent; each getter is called once.
      if (this.writeMember(from, name, depth)) ++written;
      else this.end = began;
    }
    this.view.setUint32(counts, written, true);
    this.view.setUint32(counts + 4, leftOut, true);
  }

  /** Whether there was something to write. */
  private writeMember(from: Record<string, unknown>, name: string, depth: number): boolean {
    let value: unknown;
    try {
      value = from[name];
    } catch (error) {
      this.thrown ??= error;
      this.foreign(unreadable);
      return true;
    }
    if (value === undefined) return false;
    this.writeValue(value, depth + 1);
    return true;
  }

  private writeList(from: ArrayLike<unknown>, depth: number): void {
    const typed = Object.getPrototypeOf(from) === Float64Array.prototype;
    const length: unknown = typed ? lengthOf.call(from) : from.length;
    if (!Number.isInteger(length) || (length as number) < 0) return this.foreign("a list of no length");
    const count = length as number;
    if ((this.values -= count + 1) < 0) return this.foreign(`a list of ${count} values`);
    if (typed) return this.writeNumbers(from, count);
    const items = Array.from({ length: count }, (_, index) => from[index]);
    if (count > 0 && items.every((item) => typeof item === "number")) {
      return this.writeNumbers(new Float64Array(items as number[]), count);
    }
    if ((this.members -= count + 1) < 0) return this.foreign(`a list of ${count} values`);
    this.tag(list);
    this.count(count);
    for (const item of items) this.writeValue(item, depth + 1);
  }

  private writeNumbers(from: ArrayLike<unknown>, count: number): void {
    this.tag(numbers);
    this.count(count);
    // A detached array has no bytes to read.
    if (count === 0) return;
    // As bytes: in the buffer they may not be aligned for doubles.
    const bytes = new Uint8Array(bufferOf.call(from), offsetOf.call(from), 8 * count);
    const begin = this.room(bytes.length);
    this.bytes.set(bytes, begin);
  }
}

const nameOf = (name: string) => (name.length > longestName ? `${name.slice(0, longestName)}…` : name);

function isList(value: object): value is ArrayLike<unknown> {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
}
