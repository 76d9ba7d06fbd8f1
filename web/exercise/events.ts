import type { CheckAnswersResults } from "#engine";

/** A mistake that is known to give a wrong answer. */
export type LikelyMistake = CheckAnswersResults["answers"][number]["mistakes"][number];

/** What an `answer` event says: the exercise, and of each answer whether it is right and what was likely missed. */
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
  /** What can be said of each: right, rounded, follows (from an earlier wrong one), mistaken, unknown. */
  verdicts: Record<string, CheckAnswersResults["answers"][number]["verdict"]>;
  mistakes: Record<string, LikelyMistake[]>;
  /** How many answers the exercise asks for. */
  asked: number;
  /** Whether all were given and are right. */
  correct: boolean;
  /** What was likely missed first; null where nothing was, or nothing that is known. */
  mistake: LikelyMistake | null;
  /** How often answers to this exercise were checked, this time included. */
  attempt: number;
  /** How many hints had been asked for. */
  hints: number;
  /** Whether the solution had been shown before. */
  solution_shown: boolean;
}

/** What a `hint` event says: for which answer, and which of its hints: 1 the idea, 2 the formula, 3 with the numbers. */
export interface HintDetail extends Pick<AnswerDetail, "seed" | "level" | "edition"> {
  result: string;
  step: number;
  /** How many hints to this exercise were asked for, this one included. */
  hints: number;
}

/** What an `exercise` event says: what is asked now. */
export type ExerciseDetail = Pick<AnswerDetail, "seed" | "level" | "edition" | "inputs"> & {
  /** A kind of the track, or the function; nothing for the four numbers. */
  track?: string;
};

/** What an `answer` event says of an exercise of the track; its mistake is in words. */
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

/** What a `progress` event says: how many different exercises of a kind and level were solved without the solution. */
export interface ProgressDetail {
  track: string;
  level: number;
  solved: number;
}

/** What a `function` event says: how many of the cases the learner's function gets right, and the first that it doesn't. */
export interface FunctionDetail {
  seed: number;
  level: number;
  edition: number;
  cases: number;
  right: number;
  correct: boolean;
  /** The case, without a name where the function was never called, and what was said of it. */
  failed: { name: string; inputs: Record<string, number>; said: string[] } | null;
}

/** What a `lesson` event says: which of a lesson's exercises is shown, counted from 1, and which were solved without the solution. */
export interface LessonDetail {
  exercises: { track: string; level: number; seed: number; solved: boolean }[];
  at: number;
  solved: number;
}
