// Every change of one operator or neighbouring constant that can be made in a C++ source formatted as ours, and the
// source with such changes as switches: one build holds them all, and a switch turns one on.

/** The same text with comments, strings, characters and preprocessor lines blanked out, place for place. */
export function code(text) {
  const blank = (part) => part.replace(/[^\n]/g, " ");
  const apart =
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|R"(\w*)\([\s\S]*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'|^[ \t]*#(?:\\\n|[^\n])*/gm;
  return text.replace(apart, blank);
}

const swapped = {
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "+=": "-=",
  "-=": "+=",
  "*=": "/=",
  "/=": "*=",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "==": "!=",
  "!=": "==",
  "std::max": "std::min",
  "std::min": "std::max",
};

// clang-format puts a space on both sides of a binary operator and nowhere else: neither templates' brackets, pointers
// nor signs look like that; folds over a pack are computed while compiling. Constants count where they are added,
// subtracted, multiplied, divided by or compared with.
const operators = /(?<= )(?<!\.\.\. )(?:[-+*/]=?|[<>]=?|[=!]=)(?=\s)(?! \.\.\.)|\bstd::(?:max|min)\b/g;
const constants =
  /(?<=(?: [-+*/]| [<>]=?| [=!]=)\s+)\d+(?![\w.'])|(?<![\w.']|[eEpP][-+])\d+(?= (?:[-+*/]|[<>]=?|[=!]=)\s)/g;

/** One change: its position, the line before and after, and what is replaced by what. */
function mutant(file, text, at, from, to) {
  const start = text.lastIndexOf("\n", at) + 1;
  const stop = text.indexOf("\n", at);
  const line = text.slice(0, at).split("\n").length;
  const before = text.slice(start, stop).trim();
  const after = `${text.slice(start, at)}${to}${text.slice(at + from.length, stop)}`.trim();
  const changed = `${text.slice(0, at)}${to}${text.slice(at + from.length)}`;
  return { file, line, before, after, at, from, to, text: changed };
}

/** All changes of a file, in order, each with a name. */
export function mutantsOf(file, text) {
  const shown = code(text);
  const found = [];
  for (const { 0: from, index } of shown.matchAll(operators)) {
    found.push(mutant(file, text, index, from, swapped[from]));
  }
  for (const { 0: from, index } of shown.matchAll(constants)) {
    found.push(mutant(file, text, index, from, String(Number(from) + 1)));
  }
  return named(found.sort((a, b) => a.line - b.line));
}

/** With names that hold as long as the lines stay as they are: file and changed line, numbered where there are twins. */
function named(mutants) {
  const seen = new Map();
  return mutants.map((mutant) => {
    const name = `${mutant.file}: ${mutant.after}`;
    seen.set(name, (seen.get(name) ?? 0) + 1);
    return { ...mutant, name: seen.get(name) > 1 ? `${name} (${seen.get(name)})` : name };
  });
}

/** How switched.h names the operators. */
const names = {
  "+": "plus",
  "-": "minus",
  "*": "times",
  "/": "over",
  "<": "below",
  "<=": "at_most",
  ">": "above",
  ">=": "at_least",
  "==": "equals",
  "!=": "differs",
  "+=": "adds",
  "-=": "takes",
  "*=": "multiplies",
  "/=": "divides",
};

function switchOf(id, from) {
  if (names[from]) return `${from} switched::${names[from]}<${id}>{} ${from}`;
  if (from.startsWith("std::")) return `switched::Extreme<${id}, ${from === "std::max"}>::of`;
  return `switched::constant<${id}>(${from})`;
}

/** The source with some of its changes as switches: id by the change's name. Its lines keep their numbers. */
export function withSwitches(file, text, ids, header) {
  let [shown, at] = ["", 0];
  for (const change of mutantsOf(file, text).sort((a, b) => a.at - b.at)) {
    if (!ids.has(change.name)) continue;
    shown += text.slice(at, change.at) + switchOf(ids.get(change.name), change.from);
    at = change.at + change.from.length;
  }
  return at === 0 ? text : `#include "${header}"\n#line 1\n${shown}${text.slice(at)}`;
}
