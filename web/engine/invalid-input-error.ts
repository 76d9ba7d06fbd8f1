import type { Problem } from "#engine";

/** Thrown by every calculation whose inputs have problems: all of them, each naming field, value and what is allowed. */
export class InvalidInputError extends Error {
  override readonly name = "InvalidInputError";
  readonly problems: Problem[];

  constructor(problems: Problem[]) {
    super(problems.map((problem) => problem.message).join("\n"));
    this.problems = problems;
  }
}
