// An object file of LLVM's as a graph: functions and pieces of data, what each refers to, and what the linker calls them
// (github.com/WebAssembly/tool-conventions, Linking.md).
import {
  Bytes,
  code,
  count,
  data,
  dataCount,
  importedFunctions,
  imports,
  listed,
  moduleOf,
  named,
  sectionsOf,
  segmentHead,
  segmentsOf,
  signed,
  sized,
} from "./format.mjs";

/** Kinds of symbols; flags of symbols and segments; parts of the linking section; a relocation that names a type. */
const [aFunction, aDatum, aSection] = [0, 1, 3];
const [undefinedSymbol, namedImport] = [0x10, 0x40];
const cString = 1;
const [segmentInfo, initFunctions, comdats, symbolTable] = [5, 6, 7, 8];
const typeIndex = 6;
const withAddend = new Set([3, 4, 5, 8, 9, 11, 14, 15, 16, 17, 23, 25]);

function readSymbol(from) {
  const symbol = { kind: from.byte(), flags: from.count() };
  const defined = !(symbol.flags & undefinedSymbol);
  if (symbol.kind === aDatum) {
    symbol.name = from.name();
    if (defined) Object.assign(symbol, { segment: from.count(), offset: from.count(), size: from.count() });
  } else if (symbol.kind === aSection) {
    symbol.section = from.count();
  } else {
    symbol.index = from.count();
    if (defined || symbol.flags & namedImport) symbol.name = from.name();
  }
  return symbol;
}

function writeSymbol({ kind, flags, name, index, section, piece, within, size }) {
  const begin = [kind, ...count(flags)];
  if (kind === aDatum) return [...begin, ...named(name), ...(piece ? [piece.index, within, size].flatMap(count) : [])];
  if (kind === aSection) return [...begin, ...count(section)];
  const told = !(flags & undefinedSymbol) || flags & namedImport;
  return [...begin, ...count(index), ...(told ? named(name) : [])];
}

/** The last of a list, sorted by where each begins, that begins at or before that place. */
function holding(list, place) {
  let [low, high] = [0, list.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (list[middle].begin <= place) low = middle;
    else high = middle - 1;
  }
  return list[low];
}

/** Cuts a segment where symbols begin: what the linker has put together of strings and tables of one name. */
function cut(segment, symbols) {
  const pieces = [];
  let reached = 0;
  const start = (offset) => pieces.push({ segment, offset, begin: segment.at + offset, refers: [] });
  start(0);
  for (const symbol of symbols.sort((a, b) => a.offset - b.offset || b.size - a.size)) {
    if (symbol.offset >= reached && symbol.offset > pieces.at(-1).offset) start(symbol.offset);
    reached = Math.max(reached, symbol.offset + symbol.size);
    symbol.piece = pieces.at(-1);
    symbol.within = symbol.offset - symbol.piece.offset;
  }
  for (const [index, piece] of pieces.entries())
    piece.bytes = segment.bytes.subarray(piece.offset, pieces[index + 1]?.offset);
  return pieces;
}

export class ObjectFile {
  constructor(binary) {
    this.sections = sectionsOf(binary);
    this.readLinking();
    this.functions = this.readFunctions();
    this.segments = segmentsOf(this.section(data).content);
    this.readPieces();
    this.readRelocations("reloc.CODE", this.functions);
    this.readRelocations("reloc.DATA", this.pieces);
  }

  section(which) {
    return this.sections.find(({ id, name }) => id === which || name === which);
  }

  readLinking() {
    const from = new Bytes(this.section("linking").content);
    this.version = from.count();
    this.linking = [];
    while (from.left > 0) this.linking.push({ type: from.byte(), content: from.take(from.count()) });
    const list = (type, read) => {
      const part = this.linking.find((part) => part.type === type);
      const bytes = part && new Bytes(part.content);
      return bytes ? bytes.list(() => read(bytes)) : [];
    };
    this.symbols = list(symbolTable, readSymbol);
    this.info = list(segmentInfo, (bytes) => ({ name: bytes.name(), align: bytes.count(), flags: bytes.count() }));
    const starts = list(initFunctions, (bytes) => ({ priority: bytes.count(), symbol: bytes.count() }));
    this.starts = starts.map(({ symbol }) => this.symbols[symbol]);
  }

  readFunctions() {
    const from = new Bytes(this.section(code).content);
    const functions = from.list(() => {
      const size = from.count();
      from.take(size);
      return { begin: from.at - size, size, refers: [] };
    });
    const imported = importedFunctions(this.section(imports).content).length;
    for (const symbol of this.symbols)
      if (symbol.kind === aFunction && !(symbol.flags & undefinedSymbol))
        symbol.body = functions[symbol.index - imported];
    return functions;
  }

  readPieces() {
    const ofSegment = this.segments.map(() => []);
    for (const symbol of this.symbols) if (symbol.segment !== undefined) ofSegment[symbol.segment].push(symbol);
    this.pieces = this.segments.flatMap((segment, index) => {
      Object.assign(segment, this.info[index]);
      return cut(segment, ofSegment[index]);
    });
    this.pieces.forEach((piece, index) => (piece.index = index));
  }

  readRelocations(name, holders) {
    const from = new Bytes(this.section(name).content);
    from.count();
    from.list(() => {
      const [type, offset, index] = [from.count(), from.count(), from.count()];
      const holder = holding(holders, offset);
      const relocation = { type, index, symbol: this.symbols[index], within: offset - holder.begin };
      if (withAddend.has(type)) relocation.addend = from.signed();
      if (type !== typeIndex) holder.refers.push(relocation);
    });
  }

  /** Where a pointer within a piece of data points to: a piece, and the place in it; nothing where it is null. */
  pointed({ piece, place }) {
    const found = piece.refers.find(({ within }) => within === place);
    return found && { piece: found.symbol.piece, place: found.symbol.within + found.addend };
  }

  /** Makes a string_view or span within a piece of data empty. */
  empty({ piece, place }) {
    piece.refers = piece.refers.filter(({ within }) => within !== place);
    piece.bytes.fill(0, place, place + 8);
  }

  /**
   * The object with each piece of data as a segment of its own, named by `nameOf`; symbols keep their current names.
   */
  write(nameOf) {
    const heads = this.pieces.map((piece) => segmentHead({ address: 0, bytes: piece.bytes }));
    let at = count(this.pieces.length).length;
    for (const [index, piece] of this.pieces.entries()) {
      piece.begin = at + heads[index].length;
      at = piece.begin + piece.bytes.length;
    }
    this.section(data).content = listed(this.pieces.map(({ bytes }, index) => Buffer.concat([heads[index], bytes])));
    const counted = this.section(dataCount);
    if (counted) counted.content = Buffer.from(count(this.pieces.length));
    this.writeRelocations();
    this.writeLinking(nameOf);
    return moduleOf(this.sections.filter(({ name }) => name !== "name"));
  }

  writeRelocations() {
    const placed = this.pieces.flatMap(({ begin, refers }) =>
      refers.map((relocation) => ({ ...relocation, place: begin + relocation.within })),
    );
    this.section("reloc.DATA").content = Buffer.concat([
      Buffer.from(count(this.sections.indexOf(this.section(data)))),
      listed(
        placed
          .sort((a, b) => a.place - b.place)
          .map(({ type, place, index, addend }) => [
            ...[type, place, index].flatMap(count),
            ...(addend === undefined ? [] : signed(addend)),
          ]),
      ),
    ]);
  }

  writeLinking(nameOf) {
    // Where a piece begins within its segment it is aligned no better than that.
    const alignOf = ({ segment, offset }) =>
      offset === 0 ? segment.align : Math.min(segment.align, 31 - Math.clz32(offset & -offset));
    const written = {
      [symbolTable]: listed(this.symbols.map(writeSymbol)),
      [segmentInfo]: listed(
        this.pieces.map((piece) => {
          const flags = isString(piece) ? piece.segment.flags | cString : piece.segment.flags;
          return [...named(nameOf(piece)), ...count(alignOf(piece)), ...count(flags)];
        }),
      ),
    };
    this.section("linking").content = Buffer.concat([
      Buffer.from(count(this.version)),
      // Which of several definitions is taken was settled when this object was put together.
      ...this.linking
        .filter(({ type }) => type !== comdats)
        .flatMap(({ type, content }) => [Buffer.from([type]), sized(written[type] ?? content)]),
    ]);
  }
}

/** Whether a piece is text that ends with a zero and has none before, which the linker may share. */
const isString = ({ segment, bytes }) =>
  segment.name.startsWith(".rodata..L.str") && bytes.indexOf(0) === bytes.length - 1;
