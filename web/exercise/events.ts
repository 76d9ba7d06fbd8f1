import type { CheckAnswersResults } from "#engine";

/** A mistake that is known to give a wrong answer. */
export type LikelyMistake = CheckAnswersResults["answers"][number]["mistakes"][number];

/**
 * The detail of an `answer` event: the exercise, and for each answer whether it is right and what was likely missed.
 */
export interface AnswerDetail {
  seed: number | undefined;
  level: number | undefined;
  edition: number | undefined;
  inputs: Record<string, number>;
  /** The answers given, by the result's name; so are the next five. */
  answers: Record<string, number>;
  expected: Record<string, number>;
  /** How far from the expected value an answer may lie. */
  tolerance: Record<string, number>;
  right: Record<string, boolean>;
  /** The verdict on each: right, rounded, follows (from an earlier wrong one), mistaken, unknown. */
  verdicts: Record<string, CheckAnswersResults["answers"][number]["verdict"]>;
  mistakes: Record<string, LikelyMistake[]>;
  /** How many answers the exercise asks for. */
  asked: number;
  /** Whether all were given and are right. */
  correct: boolean;
  /** What was likely missed first; null if nothing, or nothing known, was missed. */
  mistake: LikelyMistake | null;
  /** How often answers to this exercise were checked, this time included. */
  attempt: number;
  /** How many hints had been asked for. */
  hints: number;
  /** Whether the solution had been shown before. */
  solution_shown: boolean;
}

/**
 * The detail of a `hint` event: which answer, and which of its hints: 1 the idea, 2 the formula, 3 with the numbers.
 */
export interface HintDetail extends Pick<AnswerDetail, "seed" | "level" | "edition"> {
  result: string;
  step: number;
  /** How many hints to this exercise were asked for, this one included. */
  hints: number;
}

/** The detail of an `exercise` event: the current exercise. */
export type ExerciseDetail = Pick<AnswerDetail, "seed" | "level" | "edition" | "inputs"> & {
  /** A kind of the track, or the function; nothing for the four numbers. */
  track?: string;
};

/** The detail of an `answer` event for an exercise of the track; its mistake is in words. */
export interface TrackAnswerDetail
  extends Pick<
    AnswerDetail,
    "answers" | "expected" | "right" | "asked" | "correct" | "attempt" | "hints" | "solution_shown"
  > {
  track: string;
  seed: number;
  level: number;
  edition: number;
  verdicts: AnswerDetail["verdicts"];
  mistake: string | null;
  /** Of a layout that was chosen and runs: how much longer its step takes than the fastest one's. */
  slower_percent?: number;
}

/**
 * The detail of a `progress` event: how many different exercises of a kind and level were solved without the solution.
 */
export interface ProgressDetail {
  track: string;
  level: number;
  solved: number;
}

/**
 * The detail of a `function` event: how many of the cases the learner's function gets right, and the first that it
 * doesn't.
 */
export interface FunctionDetail {
  seed: number;
  level: number;
  edition: number;
  cases: number;
  right: number;
  correct: boolean;
  /** The case, without a name if the function was never called, and the feedback on it. */
  failed: { name: string; inputs: Record<string, number>; said: string[] } | null;
}

/**
 * The detail of a `lesson` event: which of a lesson's exercises is shown, counted from 1, and which were solved without
 * the solution.
 */
export interface LessonDetail {
  exercises: { track: string; level: number; seed: number; solved: boolean }[];
  at: number;
  solved: number;
}
