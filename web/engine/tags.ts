/** The tags of core/base/wire.h, in its order. */
export const [nothing, no, yes, number, text, numbers, list, object, foreign, row, wholes, noted, choice, columnar] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
];

/** Up to this length, ASCII text is faster letter by letter than with a TextDecoder. */
export const short = 40;
