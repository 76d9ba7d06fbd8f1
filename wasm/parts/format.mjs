// WebAssembly's binary format as far as a module is taken apart here: numbers, names, sections, data segments.

/** Reads bytes one thing after another. */
export class Bytes {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }
  get left() {
    return this.bytes.length - this.at;
  }
  byte() {
    return this.bytes[this.at++];
  }
  /** An unsigned LEB128 number. */
  count() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  }
  /** A signed LEB128 number. */
  signed() {
    let value = 0;
    for (let shift = 7; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 127) * 2 ** (shift - 7);
      if (byte < 128) return byte & 64 ? value - 2 ** shift : value;
    }
  }
  take(size) {
    this.at += size;
    return this.bytes.subarray(this.at - size, this.at);
  }
  name() {
    return Buffer.from(this.take(this.count())).toString("latin1");
  }
  /** A list: its length, then what `read` reads so often. */
  list(read) {
    return Array.from({ length: this.count() }, () => read());
  }
}

/** A number's bytes as unsigned LEB128. */
export function count(value) {
  const bytes = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return [...bytes, left];
    bytes.push((left % 128) + 128);
  }
}

/** A number's bytes as signed LEB128. */
export function signed(value) {
  const bytes = [];
  for (let left = value; ; left >>= 7) {
    const byte = left & 127;
    if (left >> 6 === 0 || left >> 6 === -1) return [...bytes, byte];
    bytes.push(byte | 128);
  }
}

export const named = (text) => [...count(text.length), ...Buffer.from(text, "latin1")];
export const sized = (bytes) => Buffer.concat([Buffer.from(count(bytes.length)), bytes]);
/** A list's bytes: its length, then those of each of its items. */
export const listed = (items) =>
  Buffer.concat([Buffer.from(count(items.length)), ...items.map((item) => Buffer.from(item))]);

/** Ids of sections. */
export const [custom, imports, exported, elements, code, data, dataCount] = [0, 2, 7, 9, 10, 11, 12];

/** A module's sections: id, name where it is a custom one, and content. */
export function sectionsOf(binary) {
  const from = new Bytes(binary);
  from.take(8);
  const sections = [];
  while (from.left > 0) {
    const id = from.byte();
    const content = new Bytes(from.take(from.count()));
    const name = id === custom ? content.name() : undefined;
    sections.push({ id, name, content: content.take(content.left) });
  }
  return sections;
}

/** The module of such sections. */
export function moduleOf(sections) {
  const head = Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
  const bodies = sections.map(({ id, name, content }) => {
    const body = id === custom ? Buffer.concat([Buffer.from(named(name)), content]) : content;
    return Buffer.concat([Buffer.from([id]), sized(body)]);
  });
  return Buffer.concat([head, ...bodies]);
}

/** What a module imports, in its order: from where, what kind of thing, and the bytes that say its type. */
export function importsOf(content) {
  const from = new Bytes(content);
  const limits = () => {
    const flags = from.byte();
    from.count();
    if (flags & 1) from.count();
  };
  const table = () => {
    from.byte();
    limits();
  };
  const types = [() => from.count(), table, limits, () => from.take(2), () => from.take(2)];
  return from.list(() => {
    const [module, name, kind] = [from.name(), from.name(), from.byte()];
    const begin = from.at;
    types[kind]();
    return { module, name, kind, type: content.subarray(begin, from.at) };
  });
}

/** The import section of such imports. */
export const importsSection = (list) =>
  listed(list.map(({ module, name, kind, type }) => [...named(module), ...named(name), kind, ...type]));

/** The imports that are functions, by their numbers. */
export const importedFunctions = (content) => importsOf(content).filter(({ kind }) => kind === 0);

/** What a module exports: its name, what kind of thing it is and its number. */
export function exportsOf(content) {
  const from = new Bytes(content);
  return from.list(() => ({ name: from.name(), kind: from.byte(), index: from.count() }));
}

/** The export section of such exports. */
export const exportsSection = (list) =>
  listed(list.map(({ name, kind, index }) => [...named(name), kind, ...count(index)]));

const [i32Const, end] = [0x41, 0x0b];

/** The active segments of a table: the place where each begins, and its functions. */
export function tablesOf(content) {
  const from = new Bytes(content);
  return from.list(() => {
    if (from.count() !== 0 || from.byte() !== i32Const) throw new Error("a table that has no constant place");
    const place = from.signed();
    from.byte();
    return { place, functions: from.list(() => from.count()) };
  });
}

/** The element section of such segments. */
export const elementsOf = (tables) =>
  listed(tables.map(({ place, functions }) => [0, i32Const, ...signed(place), end, ...listed(functions.map(count))]));

/** The segments of a data section, all of them put at an address: it, where the bytes begin in the section, and these. */
export function segmentsOf(content) {
  const from = new Bytes(content);
  return from.list(() => {
    if (from.count() !== 0 || from.byte() !== i32Const) throw new Error("a data segment that has no constant address");
    const address = from.signed();
    if (from.byte() !== end) throw new Error("a data segment whose address is more than a constant");
    const size = from.count();
    return { address, at: from.at, bytes: from.take(size) };
  });
}

/** The head of a segment, before its bytes. */
export const segmentHead = ({ address, bytes }) =>
  Buffer.from([0, i32Const, ...signed(address), end, ...count(bytes.length)]);

/** The data section of such segments. */
export const dataOf = (segments) =>
  listed(segments.map((segment) => Buffer.concat([segmentHead(segment), segment.bytes])));
