/**
 * The one spelling of a number, whether typed or in a file: an optional sign, digits, at most one point, an optional
 * exponent; in front of the point, groups of three digits may be set apart by commas, _ or '. core/base/number_text.h
 * reads the same, which tests/parity checks.
 */
const groups = [",", "_", "'"].map((separator) => `\\d{1,3}(?:${separator}\\d{3})+(?!\\d)`).join("|");

/** A number without its sign, as the source of a regular expression. */
export const unsigned = `(?:(?:${groups}|\\d+)(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d+)?`;

const whole = new RegExp(`^[+-]?${unsigned}$`);

/** The number that the whole text spells, infinite beyond the greatest; nothing if it spells none. */
export const readNumber = (text: string): number | undefined =>
  whole.test(text) ? Number(text.replace(/[,_']/g, "")) : undefined;

/** Spaces between groups of three digits, as people type them, replaced by _. */
export const closeGroups = (text: string): string => text.replace(/(?<=\d)[\s\u202f\u00a0](?=\d{3}(?!\d))/g, "_");
