// What a caller passes is copied into plain values before WebAssembly sees it: an error thrown by a getter must not
// unwind through the module, and nothing that a caller can build may exhaust its memory.

/** Deeper than any input of ours; a cyclic object ends here. */
const deepest = 8;
/** Values in lists and characters of text that one call may pass: two full axes of a sweep, and some. */
const mostValues = 16_777_216;
/** Members of objects that one call may pass: a long trace. */
const mostMembers = 1_048_576;

/** Stands for what no input takes; the module refuses it with these words. */
const foreign = (what: string) => Symbol(what);

class Copier {
  private values = mostValues;
  private members = mostMembers;

  copy(value: unknown, depth: number): unknown {
    switch (typeof value) {
      case "undefined":
      case "number":
      case "boolean":
        return value;
      case "string":
        return (this.values -= value.length) >= 0 ? value : foreign(`text of ${value.length} characters`);
      case "object":
        return value === null ? null : this.copyObject(value, depth);
      default:
        return foreign(`a ${typeof value}`);
    }
  }

  private copyObject(value: object, depth: number): unknown {
    if (depth > deepest) return foreign("values nested too deeply");
    if (isList(value)) return this.copyList(value, depth);
    const names = Object.keys(value);
    if ((this.members -= names.length + 1) < 0) return foreign("an object of too many members");
    const copy: Record<string, unknown> = Object.create(null);
    for (const name of names) {
      const member = this.copy((value as Record<string, unknown>)[name], depth + 1);
      // A key that is set to undefined is as good as absent.
      if (member !== undefined) copy[name] = member;
    }
    return copy;
  }

  private copyList(list: ArrayLike<unknown>, depth: number): unknown {
    const { length } = list;
    if ((this.values -= length + 1) < 0) return foreign(`a list of ${length} values`);
    if (Object.getPrototypeOf(list) === Float64Array.prototype) return list;
    const copy = Array.from({ length }, (_, index) => this.copy(list[index], depth + 1));
    const numbers = length > 0 && copy.every((value) => typeof value === "number");
    return numbers ? Float64Array.from(copy as number[]) : copy;
  }
}

function isList(value: object): value is ArrayLike<unknown> {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
}

/** `value` as the module takes it: flags, numbers, text, Float64Arrays, lists, objects; symbols for anything else. */
export function plain(value: unknown): unknown {
  return new Copier().copy(value, 0);
}
