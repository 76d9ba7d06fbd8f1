// Holds the page to its design: sizes of text, spaces and colours are those of web/elements/tokens.ts, by their names.
// Fails on any other, on a property that nothing declares, and on a colour in a file that knows no names but is not a token's.
import { readdirSync, readFileSync } from "node:fs";
import { tokens } from "../web/build/tokens.mjs";

const root = new URL("../web/", import.meta.url).pathname;
const home = "elements/tokens.ts";
const { properties, type, drawn, space } = await tokens();

const sizes = [...Object.keys(type), ...Object.keys(drawn).map((name) => `drawn-${name}`)];
const named = (names) => `var\\(--(?:${names.join("|")})\\)`;
const size = new RegExp(`^(?:inherit|${named(sizes)})$`);
const font = new RegExp(`^(?:inherit|(?:[1-9]00 )?${named(sizes)}(?: / [\\d.]+)? var\\(--(?:serif|sans|mono)\\))$`);
const face = /^(?:inherit|var\(--(?:serif|sans|mono|math)\))$/;
/** What a space is put together of: the scale, nothing, the window's width. */
const spaced = new RegExp(
  `${named(Object.keys(space).map((step) => `space-${step}`))}|calc\\(-1 \\* |clamp\\(|[),\\s]|\\bauto\\b|\\b0\\b|\\b\\d+vw\\b`,
  "g",
);
const colored = /#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|light-dark)\(/i;
const colorNames =
  /(?<![\w-])(?:white|black|gr[ae]y|silver|red|green|blue|navy|teal|orange|yellow|purple|brown|pink|gold)(?![\w-])/i;
const paints =
  /^(?:color|background(?:-color)?|fill|stroke|border.*|outline.*|box-shadow|accent-color|text-decoration.*)$/;

const wrong = [];
const files = readdirSync(root, { recursive: true }).filter(
  (name) => /\.(?:css|ts|mjs|html|svg|webmanifest)$/.test(name) && name !== home,
);
/** What any sheet declares: a view may say something to the charts that it holds. */
const declared = new Set(
  files
    .filter((file) => file.endsWith(".css"))
    .flatMap((file) => [...readFileSync(root + file, "utf8").matchAll(/^\s*--([\w-]+):/gm)].map(([, name]) => name)),
);

for (const file of files) {
  const text = readFileSync(root + file, "utf8").replace(/\/\*[\s\S]*?\*\//g, (comment) =>
    comment.replace(/[^\n]/g, " "),
  );
  const say = (at, what) => wrong.push(`web/${file}:${text.slice(0, at).split("\n").length}: ${what}`);
  if (file.endsWith(".css")) sheet(text, say);
  else if (/\.(?:svg|webmanifest)$/.test(file)) drawing(text, say);
  else script(text, say);
}

function sheet(text, say) {
  for (const { 1: name, index } of text.matchAll(/var\(--([\w-]+)/g))
    if (!(name in properties) && !declared.has(name) && !name.startsWith("commcost-"))
      say(index, `nothing declares --${name}`);
  for (const { 1: property, 2: value, index } of text.matchAll(/(?<=[{;]\s*)([a-z-]+):\s*([^;{}]+);/g)) {
    const said = value.replace(/\s+/g, " ").trim();
    const bad =
      (property === "font-size" && !size.test(said)) ||
      (property === "font" && !font.test(said)) ||
      (property === "font-family" && !face.test(said)) ||
      (/^(?:margin|padding|gap|row-gap|column-gap)(?:-|$)/.test(property) && said.replace(spaced, "") !== "") ||
      (paints.test(property) && (colored.test(said) || colorNames.test(said)));
    if (bad) say(index, `${property}: ${said} is not of web/${home}`);
  }
}

/** Its colours are tokens all the same. */
function drawing(text, say) {
  const known = JSON.stringify(properties);
  for (const { 0: hex, index } of text.matchAll(/#[0-9a-f]{6}\b/gi))
    if (!known.includes(hex)) say(index, `${hex} is no colour of web/${home}`);
}

function script(text, say) {
  for (const { 0: found, index } of text.matchAll(
    /(["'`:(,\s])#[0-9a-f]{6}\b|\b(?:rgba?|hsla?|oklch)\(|font-size["']?[:=]\s*["']?[\d.]/gi,
  ))
    say(index, `${found.trim()} is not of web/${home}`);
}

if (wrong.length > 0) {
  console.error(wrong.join("\n"));
  process.exit(1);
}
