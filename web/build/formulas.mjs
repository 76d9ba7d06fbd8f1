// Makes the pages of web/formulas/ into the site: each file there is one page's body, and what surrounds it is here.
//   <math>…</math>, <p class="formula">…</p>  a formula as web/build/mathml.mjs reads it, in a line and on its own
//   <proof code="file …" test="file Suite.Name …; file …">where it comes from</proof>
//   <div class="worked" data-calculation="…" data-inputs="{…}">  an example; in it
//   <data result="path" digits="…"></data>    one of its results, which the engine fills in
//   <section id="calculation">  what a calculation of the engine does; its heading links to itself
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { loadEngine } from "../../build/engine/commcost.js";
import { brokenMathml, mathml } from "./mathml.mjs";
import { root } from "./plugins.mjs";
import { withTokens } from "./tokens.mjs";

const engine = await loadEngine();
const source = `${root}web/formulas`;

/** The pages in the order in which they build on each other. */
const order = [
  "exercise",
  "collectives",
  "network",
  "overlap",
  "ledger",
  "memory",
  "step",
  "serving",
  "plan",
  "practice",
  "glossary",
];

const code = (text) =>
  text
    .trim()
    .split(/\s+/)
    .map((word) => `<code>${word}</code>`)
    .join(" ");

function proof(attributes, origin) {
  const tests = attributes.test
    .split(";")
    .map((one) => `<dd>${code(one)}</dd>`)
    .join("");
  return `<dl class="proof"><dt>Source</dt><dd>${origin}</dd><dt>Code</dt><dd>${code(attributes.code)}</dd><dt>Proof</dt>${tests}</dl>`;
}

/** A result as text: a number with so many decimals, or as many as it has, at most four. */
function shown(value, digits) {
  if (typeof value !== "number") return String(value);
  return value.toLocaleString("en", { minimumFractionDigits: digits ?? 0, maximumFractionDigits: digits ?? 4 });
}

function worked(calculation, inputs, body) {
  const results = engine[calculation](JSON.parse(inputs));
  return body.replace(/<data result="([^"]*)"(?: digits="(\d)")?><\/data>/g, (_, path, digits) => {
    const value = path.split(".").reduce((at, key) => at?.[key], results);
    if (value === undefined) throw new Error(`${calculation} has no ${path}`);
    return `<data data-result="${path}" value="${value}">${shown(value, digits)}</data>`;
  });
}

function bodyOf(text) {
  return text
    .replace(
      /(<div class="worked" data-calculation="(\w+)"\s+data-inputs='([^']*)'>)([\s\S]*?)<\/div>/g,
      (_, start, calculation, inputs, body) => `${start}${worked(calculation, inputs, body)}</div>`,
    )
    .replace(/<math>([^<]*)<\/math>/g, (_, typed) => mathml(typed))
    .replace(/<p class="formula">([^<]*)<\/p>/g, (_, typed) => `<p class="formula">${brokenMathml(typed)}</p>`)
    .replace(/<proof code="([^"]*)"\s+test="([^"]*)">([\s\S]*?)<\/proof>/g, (_, where, test, origin) =>
      proof({ code: where, test }, origin),
    )
    .replace(
      /<section id="(\w+)">\s*<h2>(.*?)<\/h2>/g,
      (_, id, title) => `<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title} <a class="anchor" href="#${id}">${id.replaceAll("_", "_<wbr>")}</a></h2>`,
    )
    .replace(/<table>/g, '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>')
    .replace(/<\/table>/g, "</table></div>");
}

function read(family) {
  const text = readFileSync(`${source}/${family}.html`, "utf8");
  const [, title] = /<h1>(.*?)<\/h1>/.exec(text);
  const [, lead] = /<p class="headline">([\s\S]*?)<\/p>/.exec(text);
  const sections = [...text.matchAll(/<section id="(\w+)">\s*<h2>(.*?)<\/h2>/g)].map(([, id, heading]) => ({
    id,
    heading,
  }));
  return { family, title, lead, sections, body: bodyOf(text) };
}

/** A title's first word or two: the part before its colon. */
const short = (title) => title.replace(/:.*/, "").replace(/^The (.)/, (_, letter) => letter.toUpperCase());

/** Links to the sections of a page; nothing where it has none to be linked. */
function contentsOf(sections, page = "") {
  if (sections.length === 0) return "";
  return `<ul class="contents">${sections.map(({ id, heading }) => `<li><a href="${page}#${id}">${heading}</a></li>`).join("")}</ul>`;
}

function documentOf({ title, here, main, pages }) {
  const links = pages
    .map(
      ({ family, title: name }) =>
        `<li><a href="${family}.html"${family === here ? ' aria-current="page"' : ""}>${short(name)}</a></li>`,
    )
    .join("");
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>
<link rel="icon" href="../icon.svg" type="image/svg+xml"><link rel="stylesheet" href="./pages.css"><link rel="stylesheet" href="formulas.css"></head>
<body><header><p class="brand"><a href="../index.html">commcost</a></p><p><a href="index.html">Where every number comes from</a></p></header>
<nav aria-label="Formulas"><ul>${links}</ul></nav>
<main>
${main}
</main></body></html>
`;
}

/** Writes the pages into the site. */
export async function formulas(site) {
  const found = readdirSync(source)
    .filter((name) => name.endsWith(".html"))
    .map((name) => name.slice(0, -5));
  if (found.toSorted().join() !== order.toSorted().join())
    throw new Error(`web/formulas holds ${found}, web/build/formulas.mjs orders ${order}`);
  const pages = order.map(read);
  mkdirSync(`${site}/formulas`, { recursive: true });
  for (const [index, page] of pages.entries()) {
    const contents = contentsOf(page.sections);
    const step = (to, word) =>
      to ? `<a href="${to.family}.html" rel="${word}">${short(to.title)}</a>` : "<span></span>";
    const main = `${page.body.replace(/(<p class="headline">[\s\S]*?<\/p>)/, `$1\n${contents}`)}
<nav class="along" aria-label="Next and previous page">${step(pages[index - 1], "prev")}${step(pages[index + 1], "next")}</nav>`;
    writeFileSync(
      `${site}/formulas/${page.family}.html`,
      documentOf({ title: `commcost: ${page.title}`, here: page.family, main, pages }),
    );
  }
  const overview = pages
    .map(
      ({
        family,
        title,
        lead,
        sections,
      }) => `<section aria-labelledby="${family}"><h2 id="${family}"><a href="${family}.html">${title}</a></h2>
<p>${lead}</p>${contentsOf(sections, `${family}.html`)}</section>`,
    )
    .join("\n");
  const main = `<h1>Where every number comes from</h1>
<p class="headline">Each formula with its derivation, its source, the file that holds it and the test that proves it.</p>
<p>Letters, unless a page says otherwise: <math>p</math> ranks of a collective, <math>n</math> bytes of its message, <math>α</math> the latency of a
round, <math>β</math> the time of a byte, <math>γ</math> the time to add one; <math>b</math> sequences of a micro-batch, <math>s</math> tokens of a sequence,
<math>h</math> the hidden size, <math>L</math> layers, <math>t</math> the tensor degree (TP), <math>d</math> replicas (DP), <math>m</math> micro-batches per step. Bandwidth is one
way, per GPU; 1&nbsp;GB/s is 10⁹ B/s. The numbers of the examples are the engine’s own.</p>
${overview}
<p><a href="../scoreboard.html">The scoreboard</a> compares predictions with public measurements.</p>`;
  writeFileSync(
    `${site}/formulas/index.html`,
    documentOf({ title: "commcost: where every number comes from", here: "index", main: bodyOf(main), pages }),
  );
  // Both kinds of pages outside the app look alike.
  for (const [name, sheet] of [
    ["pages.css", `${root}web/scoreboard/scoreboard.css`],
    ["formulas.css", `${source}/formulas.css`],
  ])
    writeFileSync(`${site}/formulas/${name}`, await withTokens(readFileSync(sheet, "utf8")));
}
