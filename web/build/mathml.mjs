// Formulas as they are typed, made MathML: 2(p-1)/p n β is twice a fraction times n times β. A letter is a variable,
// "words in quotes" are words, / makes a fraction of its neighbours, ^ and _ raise and lower, √ takes what follows;
// round brackets that only held a fraction's part together are dropped, braces always are.
const closing = { "(": ")", "{": "}", "⌈": "⌉", "⌊": "⌋", "[": "]" };
const token = /\s*(?:_(\p{L}{2,})|("[^"]*")|(\d+(?:[.,]\d+)*)|(lg|ln|log|min|max)(?![a-z])|(\p{L})|(.))/gsuy;
const relations = new Set(["=", "≤", "≥", "≈", "<", ">", "+", "-", "±"]);

const escape = (text) => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);

function tokens(text) {
  return [...text.matchAll(token)]
    .flatMap(([, lowered, words, number, name, letter, sign]) => {
      if (lowered) return [{ sign: "_" }, { xml: `<mi>${lowered}</mi>` }];
      if (words) return { xml: `<mtext>${escape(words.slice(1, -1)).replaceAll(" ", "\u00a0")}</mtext>` };
      if (number) return { xml: `<mn>${number}</mn>` };
      if (name) return [{ xml: `<mi>${name}</mi>` }, { space: true }];
      if (letter) return { xml: `<mi>${letter}</mi>` };
      return { sign };
    })
    .filter((one) => one.sign !== " ");
}

const operator = (sign, attributes = "") => `<mo${attributes}>${escape(sign === "-" ? "−" : sign)}</mo>`;

/** One thing that / ^ _ take as a whole: a variable, a number, anything in brackets. */
function atom(list) {
  const { xml, sign, space } = list.shift() ?? {};
  if (xml) return { xml, bare: xml };
  // A function's name is set apart from its argument, unless a bracket does that.
  if (space) return { xml: list[0]?.sign === "(" ? "" : '<mspace width="0.17em"></mspace>' };
  if (sign === "√") {
    const { bare } = atom(list);
    return { xml: `<msqrt>${bare}</msqrt>`, bare: `<msqrt>${bare}</msqrt>` };
  }
  if (sign in closing) {
    const inside = row(list, closing[sign]);
    const bare = `<mrow>${inside}</mrow>`;
    // Without a mathematical font brackets would grow round what is no higher than they.
    const size = inside.includes("<mfrac>") ? "" : ' stretchy="false"';
    const whole = `<mrow>${operator(sign, size)}${inside}${operator(closing[sign], size)}</mrow>`;
    return { xml: sign === "{" ? bare : whole, bare: sign === "(" || sign === "{" ? bare : whole };
  }
  return { xml: operator(sign), bare: operator(sign) };
}

/** An atom with its superscript and subscript. */
function scripted(list) {
  let base = atom(list);
  while (list[0]?.sign === "^" || list[0]?.sign === "_") {
    const element = list.shift().sign === "^" ? "msup" : "msub";
    const xml = `<${element}>${base.xml}${atom(list).bare}</${element}>`;
    base = { xml, bare: xml };
  }
  return base;
}

/** Everything up to the closing bracket, or the end. */
function row(list, end) {
  const parts = [];
  while (list.length > 0) {
    if (end && list[0].sign === end) {
      list.shift();
      break;
    }
    if (list[0].sign !== "/") {
      parts.push(scripted(list));
      continue;
    }
    list.shift();
    const xml = `<mfrac>${parts.pop().bare}${scripted(list).bare}</mfrac>`;
    parts.push({ xml, bare: xml });
  }
  return parts.map(({ xml }) => xml).join("");
}

/** One <math> of a formula as it is typed. */
export const mathml = (text) => `<math>${row(tokens(text))}</math>`;

/** A formula of its own line: several <math>, so that a narrow page can break it before a relation or a sum. */
export function brokenMathml(text) {
  let depth = 0;
  const pieces = [""];
  for (const [part] of text.matchAll(/"[^"]*"|./gsu)) {
    if (part in closing) ++depth;
    if (Object.values(closing).includes(part)) --depth;
    const binary =
      depth === 0 && relations.has(part) && pieces.at(-1).trim() !== "" && !/[=≤≥≈<>+-]\s*$/.test(pieces.at(-1));
    if (binary) pieces.push("");
    pieces[pieces.length - 1] += part;
  }
  return pieces
    .map((piece) =>
      mathml(piece).replace(
        /^<math>(<mo)?/,
        (_, sign) => `<math displaystyle="true">${sign ? '<mo form="infix"' : ""}`,
      ),
    )
    .join(" ");
}
