// Every change of one operator or neighbouring constant that can be made in a C++ source formatted as ours.

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
// nor signs look like that. Constants count where they are added, subtracted, multiplied, divided by or compared with.
const operators = /(?<= )(?:[-+*/]=?|[<>]=?|[=!]=)(?=\s)|\bstd::(?:max|min)\b/g;
const constants =
  /(?<=(?: [-+*/]| [<>]=?| [=!]=)\s+)\d+(?![\w.'])|(?<![\w.']|[eEpP][-+])\d+(?= (?:[-+*/]|[<>]=?|[=!]=)\s)/g;

/** One change: where it is, the line as it is and as it would be, and what becomes of what. */
function mutant(file, text, at, from, to) {
  const start = text.lastIndexOf("\n", at) + 1;
  const stop = text.indexOf("\n", at);
  const line = text.slice(0, at).split("\n").length;
  const before = text.slice(start, stop).trim();
  const after = `${text.slice(start, at)}${to}${text.slice(at + from.length, stop)}`.trim();
  return { file, line, before, after, from, to, text: `${text.slice(0, at)}${to}${text.slice(at + from.length)}` };
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
