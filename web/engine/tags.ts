/** The tags of core/base/wire.h, in its order. */
export const [nothing, no, yes, number, text, numbers, list, object, foreign, row, wholes, noted, choice, columnar] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
];

/** A coder costs more than to do text up to here, if it is ASCII, letter by letter. */
export const short = 40;
