// How values cross into WebAssembly and out of it: in one piece, as wasm/tape.h describes. What a caller passes is
// copied before WebAssembly sees any of it: an error thrown by a getter must not unwind through the module, and
// nothing that a caller can build may exhaust its memory.

/** The tags of wasm/tape.h, in its order. */
const [nothing, no, yes, number, text, numbers, list, object, foreign] = [0, 1, 2, 3, 4, 5, 6, 7, 8];

/** Deeper than any input of ours; a cyclic object ends here. */
const deepest = 8;
/** Values in lists and characters of text that one call may pass: two full axes of a sweep, and some. */
const mostValues = 16_777_216;
/** Members of objects that one call may pass: a long trace. */
const mostMembers = 1_048_576;
/** Bytes that a tape begins with; most need no more. */
const usual = 4096;

const encoder = new TextEncoder();
const decoder = new TextDecoder();
/** A coder costs more than to do text up to here, if it is ASCII, letter by letter. */
const short = 40;

const first = new Uint8Array(usual);

class Writer {
  private bytes = first;
  private view = new DataView(first.buffer);
  private end = 0;
  private values = mostValues;
  private members = mostMembers;

  /** The tape of `value`. */
  write(value: unknown): Uint8Array {
    this.writeValue(value, 0);
    return this.bytes.subarray(0, this.end);
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

  private tag(tag: number) {
    this.bytes[this.room(1)] = tag;
  }

  private count(count: number) {
    this.view.setUint32(this.room(4), count, true);
  }

  private number(value: number) {
    this.view.setFloat64(this.room(8), value, true);
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
        this.tag(number);
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
    if (isList(value)) return this.writeList(value, depth);
    // A key that is set to undefined is as good as absent; each getter is asked once.
    const members = Object.keys(value)
      .map((name) => [name, (value as Record<string, unknown>)[name]] as const)
      .filter(([, member]) => member !== undefined);
    if ((this.members -= members.length + 1) < 0) return this.foreign("an object of too many members");
    this.tag(object);
    this.count(members.length);
    for (const [name, member] of members) {
      this.text(name);
      this.writeValue(member, depth + 1);
    }
  }

  private writeList(from: ArrayLike<unknown>, depth: number): void {
    const { length } = from;
    if ((this.values -= length + 1) < 0) return this.foreign(`a list of ${length} values`);
    const items = isNumbers(from) ? from : Array.from({ length }, (_, index) => from[index]);
    const allNumbers = isNumbers(items) || (length > 0 && items.every((item) => typeof item === "number"));
    this.tag(allNumbers ? numbers : list);
    this.count(length);
    if (allNumbers) {
      const begin = this.room(8 * length);
      this.bytes.set(new Uint8Array(Float64Array.from(items as ArrayLike<number>).buffer), begin);
    } else {
      for (const item of items) this.writeValue(item, depth + 1);
    }
  }
}

function isList(value: object): value is ArrayLike<unknown> {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
}

function isNumbers(value: object): value is Float64Array {
  return Object.getPrototypeOf(value) === Float64Array.prototype;
}

class Reader {
  private readonly view: DataView;
  private at = 0;

  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  private count(): number {
    const count = this.view.getUint32(this.at, true);
    this.at += 4;
    return count;
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

  read(): unknown {
    switch (this.bytes[this.at++]) {
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
        const begin = this.bytes.byteOffset + this.at + 4;
        this.at += 4 + 8 * this.count();
        return new Float64Array(this.bytes.buffer.slice(begin, this.bytes.byteOffset + this.at));
      }
      case list:
        return Array.from({ length: this.count() }, () => this.read());
      case object: {
        const value: Record<string, unknown> = {};
        for (let left = this.count(); left > 0; --left) value[this.text()] = this.read();
        return value;
      }
      default:
        return null;
    }
  }
}

/** The tape of whatever a caller passes: flags, numbers, text, lists, objects; a word in place of anything else. */
export function tapeOf(value: unknown): Uint8Array {
  return new Writer().write(value);
}

/** The values on a tape, one after another. */
export function valuesOn(tape: Uint8Array): () => unknown {
  const reader = new Reader(tape);
  return () => reader.read();
}
