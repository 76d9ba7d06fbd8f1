import type { Problem } from "#engine";

/** Thrown by every calculation whose inputs have problems: all of them, each naming field, value and what is allowed. */
export class InvalidInputError extends Error {
  override readonly name = "InvalidInputError";
  readonly problems: Problem[];

  /** `cause`: what a getter of the inputs threw, if one did. */
  constructor(problems: Problem[], cause?: unknown) {
    super(problems.map((problem) => problem.message).join("\n"), cause === undefined ? undefined : { cause });
    this.problems = problems;
  }
}
