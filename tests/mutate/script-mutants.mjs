// Every change of one operator, condition or constant that can be made in a TypeScript source, and the source with such
// changes as switches: one build holds them all, and a switch turns one on.
import { parseSync } from "vite";

const swapped = {
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "&&": "||",
  "||": "&&",
};
const swappedCalls = { max: "min", min: "max", floor: "ceil", ceil: "floor" };

/** A constant counts where it is calculated or compared with. */
const reckoned = new Set(["BinaryExpression", "AssignmentExpression"]);

/** Whether a node contains one that is `sought` by its type, outside its functions unless `within` them. */
function holds(node, sought, within = false) {
  if (node === null || typeof node !== "object") return false;
  if (Array.isArray(node)) return node.some((one) => holds(one, sought, within));
  if (sought.test(node.type)) return true;
  return (within || !/Function/.test(node.type ?? "")) && Object.values(node).some((one) => holds(one, sought, within));
}
/** Whether something waits or yields in a node, which no function around it may. */
const waits = (node) => holds(node, /^(Await|Yield)Expression$/);
/** Whether it is made of parts that are loaded: what a build leaves out, it would take in with a switch. */
const loads = (node) => holds(node, /^ImportExpression$/, true);

const isText = (node) =>
  node.type === "TemplateLiteral" || (node.type === "Literal" && typeof node.value === "string") || joins(node);
/** Whether a sum puts texts together: no other operator could. */
const joins = (node) =>
  node.type === "BinaryExpression" && node.operator === "+" && (isText(node.left) || isText(node.right));

/** The change of a node alone: {from, to, switched: its text with a switch, given that of its children}. */
function changeOf(node, parent) {
  const { type, operator } = node;
  if (type === "BinaryExpression" && swapped[operator] && !joins(node)) {
    return {
      ...{ from: operator, to: swapped[operator], between: [node.left.end, node.right.start] },
      switched: (id, text) =>
        `switched.binary(${id}, ${text(node.left)}, ${text(node.right)}, "${operator}", "${swapped[operator]}")`,
    };
  }
  if (type === "LogicalExpression" && swapped[operator] && !waits(node.right)) {
    return {
      ...{ from: operator, to: swapped[operator], between: [node.left.end, node.right.start] },
      switched: (id, text) => `switched.logical(${id}, ${text(node.left)}, () => (${text(node.right)}), "${operator}")`,
    };
  }
  if (
    /^(ConditionalExpression|IfStatement)$/.test(parent?.type) &&
    parent.test === node &&
    plain(node) &&
    !loads(parent)
  ) {
    return {
      from: "",
      to: "!",
      at: node.start,
      switched: (id, text) => `switched.condition(${id}, ${text(node, true)})`,
    };
  }
  if (type === "Literal" && typeof node.value === "number" && reckoned.has(parent?.type)) {
    const to = String(node.value + 1);
    return { from: node.raw, to, at: node.start, switched: (id) => `switched.constant(${id}, ${node.raw}, ${to})` };
  }
  if (type === "MemberExpression" && node.object.name === "Math" && swappedCalls[node.property.name]) {
    const from = node.property.name;
    const to = swappedCalls[from];
    return {
      from,
      to,
      at: node.property.start,
      switched: (id) => `switched.constant(${id}, Math.${from}, Math.${to})`,
    };
  }
  return undefined;
}

/** Whether a condition has no operator of its own to change. */
const plain = (node) => !/^(Binary|Logical)Expression$/.test(node.type) && !waits(node);

/** The children of a node, in the order of the text. */
const children = (node) =>
  Object.entries(node)
    .flatMap(([, value]) => (Array.isArray(value) ? value : [value]))
    .filter((value) => value && typeof value.type === "string")
    .sort((a, b) => a.start - b.start);

function parsed(file, text) {
  const { program, errors } = parseSync(file, text, { lang: "ts", sourceType: "module" });
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  return program;
}

const computed = "\0";
const written = ({ quasis }) => quasis.map(({ value }) => value.raw).join(computed);
const two = /[a-z]{2,} [a-z]{2,}/;
/** Whether a template is a sentence with something computed in it: words outside its tags, or in what a tag says. */
function tells(node) {
  const words = written(node).replace(
    /<[^>]*>/g,
    (tag) => tag.match(/(?<= (aria-label|title|alt)=)"[^"]*"/g)?.join() ?? "",
  );
  return two.test(words) && words.includes(computed);
}
/** Attributes that give the place and size of a mark in a picture. */
const placing =
  /<[^>]* ([xyr]|[cdxy]{1,2}[xy12]?|r[xy]|width|height|viewBox|points|transform|stroke-width)=["']?[^"'>]*$/i;
/** Whether a template computes the place of a mark in a picture here. */
const places = (node, index) =>
  placing.test(
    node.quasis
      .slice(0, index + 1)
      .map(({ value }) => value.raw)
      .join(computed),
  );

/** A parsed file with all its changes, in order. */
function changes(file, text) {
  const program = parsed(file, text);
  const found = [];
  const seen = new Map();
  /** `around`: the functions around a node; `placed`: whether it gives the place of a mark. */
  const walk = (node, parent, around, placed) => {
    const change = changeOf(node, parent);
    if (change) found.push({ ...change, node, around: around.at(-1), placed });
    if (node.type === "TemplateLiteral" && tells(node)) for (const one of around) one.tells = true;
    const inner = /Function/.test(node.type) ? [...around, { node }] : around;
    const shown = node.type === "TemplateLiteral" ? node.expressions : [];
    for (const child of children(node))
      if (!/^TS(?!NonNull|As|Satisfies)/.test(child.type))
        walk(child, node, inner, placed || (shown.includes(child) && places(node, shown.indexOf(child))));
  };
  walk(program, undefined, [{ node: program }], false);
  const mutants = found.map(({ node, around, placed, from, to, at, between, switched }) => {
    const place = at ?? text.indexOf(from, between[0]);
    const start = text.lastIndexOf("\n", place) + 1;
    const stop = text.indexOf("\n", place);
    const before = text.slice(start, stop).trim();
    const after = `${text.slice(start, place)}${to}${text.slice(place + from.length, stop)}`.trim();
    const twin = `${file}: ${after}`;
    seen.set(twin, (seen.get(twin) ?? 0) + 1);
    const name = seen.get(twin) > 1 ? `${twin} (${seen.get(twin)})` : twin;
    const line = text.slice(0, place).split("\n").length;
    return { file, line, before, after, name, node, switched, tells: around.tells === true && !placed };
  });
  return { program, mutants };
}

/** All changes of a file, each with a name that holds as long as its line stays as it is; `tells`: whether a function that makes a
 * sentence is around it, and it is nothing that only says where a mark of a picture stands. */
export const mutantsOf = (file, text) => changes(file, text).mutants;

/** The source with some of its changes as switches: id by the change's name. */
export function withSwitches(file, text, ids, module) {
  const { program, mutants } = changes(file, text);
  const wanted = new Map();
  for (const { node, name, switched } of mutants) if (ids.has(name)) wanted.set(node, { id: ids.get(name), switched });
  /** The node's text; `inner`: as it is without its own switch. */
  const textOf = (node, inner = false) => {
    const own = wanted.get(node);
    if (own && !inner) return own.switched(own.id, textOf);
    let shown = "";
    let at = node.start;
    for (const child of children(node)) {
      // Shorthands, and what an import or export names, say one place twice.
      if (child.start < at) continue;
      shown += text.slice(at, child.start) + textOf(child);
      at = child.end;
    }
    return shown + text.slice(at, node.end);
  };
  return `import * as switched from "${module}";\n${text.slice(0, program.start)}${textOf(program)}${text.slice(program.end)}`;
}
