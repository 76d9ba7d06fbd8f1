/** A list or a dict of a pickle, by what its reader keeps of it. */
export class PickleNode<Held> {
  held: Held | undefined;
  /** Its place in the memo; -1 where it has none. */
  place = -1;

  constructor(readonly isList: boolean) {}
}

export type PickleValue<Held> = number | string | boolean | null | PickleNode<Held>;

/** Hears what lists and dicts hold. A value is whole when it comes, unless it holds itself. */
export interface PickleSink<Held> {
  append(list: PickleNode<Held>, value: PickleValue<Held>): void;
  set(dict: PickleNode<Held>, key: string, value: PickleValue<Held>): void;
}

/** Opcodes of plain data, as Lib/pickletools.py of Python names them. */
const op = {
  mark: 0x28,
  emptyTuple: 0x29,
  stop: 0x2e,
  binFloat: 0x47,
  binInt: 0x4a,
  binInt1: 0x4b,
  binInt2: 0x4d,
  none: 0x4e,
  binUnicode: 0x58,
  emptyList: 0x5d,
  append: 0x61,
  appends: 0x65,
  binGet: 0x68,
  longBinGet: 0x6a,
  binPut: 0x71,
  longBinPut: 0x72,
  setItem: 0x73,
  tuple: 0x74,
  setItems: 0x75,
  emptyDict: 0x7d,
  protocol: 0x80,
  tuple1: 0x85,
  tuple2: 0x86,
  tuple3: 0x87,
  isTrue: 0x88,
  isFalse: 0x89,
  long1: 0x8a,
  shortBinUnicode: 0x8c,
  binUnicode8: 0x8d,
  memoize: 0x94,
  frame: 0x95,
} as const;

/** Opcodes that import or call something, or ask for an object from outside. */
const acts: ReadonlyMap<number, string> = new Map([
  [0x63, "GLOBAL"],
  [0x93, "STACK_GLOBAL"],
  [0x52, "REDUCE"],
  [0x62, "BUILD"],
  [0x69, "INST"],
  [0x6f, "OBJ"],
  [0x81, "NEWOBJ"],
  [0x92, "NEWOBJ_EX"],
  [0x50, "PERSID"],
  [0x51, "BINPERSID"],
  [0x82, "EXT1"],
  [0x83, "EXT2"],
  [0x84, "EXT4"],
]);

/** Bytes of an opcode's argument; of a text or a long integer, those of its length. */
const argumentBytes = new Uint8Array(256);
for (const code of [op.protocol, op.binInt1, op.binGet, op.binPut, op.shortBinUnicode, op.long1])
  argumentBytes[code] = 1;
argumentBytes[op.binInt2] = 2;
for (const code of [op.binInt, op.binUnicode, op.longBinGet, op.longBinPut]) argumentBytes[code] = 4;
for (const code of [op.binFloat, op.binUnicode8, op.frame]) argumentBytes[code] = 8;

/** Longer texts are skipped, bytes: no relevant name or path is that long. */
const longestText = 4096;
/** Python writes lists and dicts by a thousand elements: more values never wait for their list. */
const mostWaiting = 65_536;
const mostMarks = 64;
/** Values that may be referred to again: some gigabytes of a snapshot. */
const mostKept = 2 ** 25;

/** What stood in the memo for a value that is no longer kept. */
const spent = Symbol("spent");
type Kept<Held> = PickleValue<Held> | typeof spent;

/** Values by their place, counted up. In pages: one list of millions would be copied whenever it grows, and be there twice. */
class Memo<Held> {
  private static readonly page = 2 ** 16;
  private readonly pages: Kept<Held>[][] = [];
  length = 0;

  get(place: number): Kept<Held> | undefined {
    return this.pages[Math.floor(place / Memo.page)]?.[place % Memo.page];
  }

  /** At a place that is taken, or the next. */
  set(place: number, value: Kept<Held>): void {
    const page = Math.floor(place / Memo.page);
    (this.pages[page] ??= [])[place % Memo.page] = value;
    this.length = Math.max(this.length, place + 1);
  }
}

/** Two's complement, little-endian. */
function longOf(bytes: Uint8Array): number {
  let number = 0;
  for (let at = bytes.length - 1; at >= 0; at--) number = number * 256 + bytes[at]!;
  return bytes.length > 0 && bytes.at(-1)! > 127 ? number - 256 ** bytes.length : number;
}

/**
 * Reads a pickle of plain data (Python's protocols 2 to 5) in pieces that may end anywhere: dicts, lists, tuples, texts and
 * numbers are all it knows. What would import or call something is refused; nothing of a file is ever run. It holds what waits
 * for its list, and one place for each value that the file may refer to again.
 */
export class PickleReader<Held> {
  private stack: PickleValue<Held>[] = [];
  private readonly marks: number[] = [];
  private readonly memo = new Memo<Held>();
  private rest = new Uint8Array(0);
  /** Bytes of a long text that are still to be read over. */
  private over = 0;
  private begun = false;
  private readonly decoder = new TextDecoder();
  /** Bytes before the piece that is read. */
  private before = 0;
  /** The outermost value, once its end has come. */
  root: PickleValue<Held> | undefined;

  constructor(private readonly sink: PickleSink<Held>) {}

  /** Whether the end has come. */
  get ended(): boolean {
    return this.root !== undefined;
  }

  /** Forgets a value that has been used; the file may not refer to it again. */
  forget(node: PickleNode<Held>): void {
    if (node.place >= 0) this.memo.set(node.place, spent);
  }

  /** Keeps another value in the place of one, wherever the file refers to it again. */
  replace(node: PickleNode<Held>, by: PickleNode<Held>): void {
    if (node.place >= 0) this.memo.set(node.place, by);
  }

  /** The next piece; throws a sentence where it is no plain data. */
  read(piece: Uint8Array): void {
    let bytes = piece;
    if (this.rest.length > 0) {
      bytes = new Uint8Array(this.rest.length + piece.length);
      bytes.set(this.rest);
      bytes.set(piece, this.rest.length);
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = Math.min(this.over, bytes.length);
    this.over -= at;
    while (at < bytes.length && !this.ended) {
      const next = this.step(bytes, view, at);
      if (next < 0) break;
      if (next > bytes.length) this.over = next - bytes.length;
      at = Math.min(next, bytes.length);
    }
    this.before += at;
    this.rest = this.ended ? new Uint8Array(0) : bytes.slice(at);
  }

  private refuse(says: string): never {
    throw new Error(says);
  }

  private broken(at: number): never {
    return this.refuse(`This pickle is damaged at byte ${this.before + at}.`);
  }

  /** Runs the opcode at `at`; where the next one is, or -1 where its argument has not come whole. */
  private step(bytes: Uint8Array, view: DataView, at: number): number {
    const code = bytes[at]!;
    if (!this.begun && code !== op.protocol) this.broken(at);
    this.begun = true;
    const from = at + 1;
    const end = from + argumentBytes[code]!;
    if (end > bytes.length) return -1;
    switch (code) {
      case op.protocol:
        if (bytes[from]! < 2 || bytes[from]! > 5)
          this.refuse(`This pickle is of protocol ${bytes[from]}; we read 2 to 5.`);
        return end;
      case op.frame:
        return end;
      case op.binInt1:
        return this.push(bytes[from]!, end);
      case op.binInt2:
        return this.push(view.getUint16(from, true), end);
      case op.binInt:
        return this.push(view.getInt32(from, true), end);
      case op.binFloat:
        return this.push(view.getFloat64(from), end);
      case op.long1: {
        const over = end + bytes[from]!;
        return over > bytes.length ? -1 : this.push(longOf(bytes.subarray(end, over)), over);
      }
      case op.shortBinUnicode:
        return this.text(bytes, end, bytes[from]!);
      case op.binUnicode:
        return this.text(bytes, end, view.getUint32(from, true));
      case op.binUnicode8:
        return this.text(bytes, end, Number(view.getBigUint64(from, true)));
      case op.binGet:
        return this.get(bytes[from]!, end, at);
      case op.longBinGet:
        return this.get(view.getUint32(from, true), end, at);
      case op.binPut:
        return this.put(bytes[from]!, end, at);
      case op.longBinPut:
        return this.put(view.getUint32(from, true), end, at);
      default:
        this.plain(code, at);
        return end;
    }
  }

  private push(value: PickleValue<Held>, end: number): number {
    if (this.stack.length === mostWaiting)
      this.refuse("This pickle is no memory snapshot: too many values wait for the list that they belong to.");
    this.stack.push(value);
    return end;
  }

  private text(bytes: Uint8Array, from: number, length: number): number {
    const end = from + length;
    if (length > longestText) return this.push("", end);
    return end > bytes.length ? -1 : this.push(this.decoder.decode(bytes.subarray(from, end)), end);
  }

  private get(place: number, end: number, at: number): number {
    const value = this.memo.get(place);
    if (value === undefined || value === spent) this.broken(at);
    return this.push(value, end);
  }

  private put(place: number, end: number, at: number): number {
    const value = this.stack.at(-1);
    // Python counts places up.
    if (value === undefined || place > this.memo.length) this.broken(at);
    if (place === mostKept)
      this.refuse("This pickle is too large for us to read: it holds more than 33 million values.");
    this.memo.set(place, value);
    if (value instanceof PickleNode) value.place = place;
    return end;
  }

  /** Opcodes without an argument. */
  private plain(code: number, at: number): void {
    switch (code) {
      case op.mark:
        if (this.marks.length === mostMarks) this.refuse("This pickle is no memory snapshot: it is nested too deeply.");
        this.marks.push(this.stack.length);
        return;
      case op.none:
        this.push(null, 0);
        return;
      case op.isTrue:
      case op.isFalse:
        this.push(code === op.isTrue, 0);
        return;
      case op.emptyDict:
      case op.emptyList:
      case op.emptyTuple:
        this.push(new PickleNode(code !== op.emptyDict), 0);
        return;
      case op.memoize:
        this.put(this.memo.length, 0, at);
        return;
      case op.append:
        return this.appendFrom(this.above(1, 1, at), at);
      case op.appends:
        return this.appendFrom(this.aboveMark(1, at), at);
      case op.setItem:
        return this.setFrom(this.above(2, 1, at), at);
      case op.setItems:
        return this.setFrom(this.aboveMark(1, at), at);
      case op.tuple1:
      case op.tuple2:
      case op.tuple3:
        return this.tupleFrom(this.above(code - op.tuple1 + 1, 0, at));
      case op.tuple:
        return this.tupleFrom(this.aboveMark(0, at));
      case op.stop: {
        const value = this.stack.at(-1);
        if (this.stack.length !== 1 || this.marks.length > 0 || value === undefined) this.broken(at);
        this.root = value;
        return;
      }
      default:
        if (acts.has(code))
          this.refuse(
            `This pickle does more than hold data: its ${acts.get(code)} at byte ${this.before + at} would import or call something. We run nothing of a file. torch.cuda.memory._dump_snapshot writes one that we read.`,
          );
        this.refuse(
          `This pickle is no memory snapshot: byte ${this.before + at} holds a kind of value that those do not.`,
        );
    }
  }

  /** Where the last `values` on the stack begin, with `below` more under them. */
  private above(values: number, below: number, at: number): number {
    const floor = this.marks.at(-1) ?? 0;
    if (this.stack.length < floor + values + below) this.broken(at);
    return this.stack.length - values;
  }

  private aboveMark(below: number, at: number): number {
    const from = this.marks.pop();
    if (from === undefined || from < (this.marks.at(-1) ?? 0) + below) this.broken(at);
    return from;
  }

  private appendFrom(from: number, at: number): void {
    const list = this.stack[from - 1];
    if (!(list instanceof PickleNode && list.isList)) this.broken(at);
    for (let place = from; place < this.stack.length; place++) this.sink.append(list, this.stack[place]!);
    this.stack.length = from;
  }

  private setFrom(from: number, at: number): void {
    const dict = this.stack[from - 1];
    if (!(dict instanceof PickleNode) || dict.isList || (this.stack.length - from) % 2 > 0) this.broken(at);
    for (let place = from; place < this.stack.length; place += 2) {
      const key = this.stack[place];
      if (typeof key === "string") this.sink.set(dict, key, this.stack[place + 1]!);
    }
    this.stack.length = from;
  }

  private tupleFrom(from: number): void {
    const tuple = new PickleNode<Held>(true);
    for (let place = from; place < this.stack.length; place++) this.sink.append(tuple, this.stack[place]!);
    this.stack.length = from;
    this.push(tuple, 0);
  }
}
