import type { FieldDescription, Problem } from "#engine";
import type { Module } from "virtual:commcost-module";
import { InvalidInputError } from "./invalid-input-error";
import { type Kept, kept, Reader } from "./reader";
import { type Names, type Writer, writerOf } from "./wire";

const noNames: Names = new Map();

/** Calls the module: passes a caller's values to it, and its answer back. */
export class Caller {
  private readonly reader: Reader;
  private readonly usualPlace: number;

  constructor(readonly module: Module) {
    this.reader = new Reader(module.HEAPU8);
    this.usualPlace = module.input(module.usual_bytes);
  }

  /** Passes the output of `write` to the module: its size, and what a getter threw meanwhile. */
  pass(write: (writer: Writer) => Uint8Array, known = noNames): { size: number; thrown: unknown } {
    const writer = writerOf(known);
    try {
      const bytes = write(writer);
      const size = bytes.length;
      const place = size > this.module.usual_bytes ? this.module.input(size) : this.usualPlace;
      this.module.HEAPU8.set(bytes, place);
      return { size, thrown: writer.thrown };
    } finally {
      writer.release();
    }
  }

  /** `run` takes the inputs' size and returns the answer's address. */
  call(inputs: unknown, known: Names, run: (size: number) => number, columns?: readonly FieldDescription[]): unknown {
    const { size, thrown } = this.pass((writer) => writer.write(inputs), known);
    return this.answer(run(size), columns, thrown);
  }

  /** Passes a piece of a text to the module. */
  add(piece: Uint8Array, handle: number): void {
    const most = this.module.usual_bytes;
    for (let at = 0; at < piece.length; at += most) {
      const part = piece.subarray(at, at + most);
      this.module.HEAPU8.set(part, this.usualPlace);
      this.module.add_piece(part.length, handle);
    }
  }

  answer(place: number, columns?: readonly FieldDescription[], cause?: unknown): unknown {
    this.begin(place, cause);
    return this.reader.read(columns);
  }

  /** A copy of an answer's results, to be decoded later. */
  kept(place: number, cause: unknown): Kept {
    const end = place + this.begin(place, cause);
    return kept(this.module.HEAPU8.subarray(this.reader.place, end));
  }

  /** Moves to an answer's results, or throws its problems; returns its size in bytes. */
  private begin(place: number, cause: unknown): number {
    const reader = this.reader.from(this.module.HEAPU8, place);
    const size = reader.count();
    if (!reader.read()) throw new InvalidInputError(reader.read() as Problem[], cause);
    return size;
  }
}
