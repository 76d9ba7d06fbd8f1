/** The engine takes logs of so many characters; the beginning says how a run was started, the end how it went. */
const longest = 16e6;
const headLength = 2e6;

/** Collects a text: all of it where the engine takes as much, else whole lines of its beginning and its end. */
export class LongText {
  private head = "";
  private tail = "";
  /** Characters between the two. */
  leftOut = 0;

  add(piece: string): void {
    const room = Math.max(0, headLength - this.head.length);
    this.head += piece.slice(0, room);
    this.tail += piece.slice(room);
    // Cut now and then, not with every piece.
    if (this.tail.length > 2 * longest) this.cut();
  }

  private cut(): void {
    const from = this.tail.length - (longest - headLength - 1);
    if (from <= 0) return;
    this.leftOut += from;
    this.tail = this.tail.slice(from);
  }

  get text(): string {
    this.cut();
    if (this.leftOut === 0) return this.head + this.tail;
    // The lines that were cut through say nothing that is right.
    return `${this.head.slice(0, this.head.lastIndexOf("\n"))}${this.tail.slice(Math.max(0, this.tail.indexOf("\n")))}`;
  }
}
