import type { Engine } from "#engine";
import { readFileSync } from "node:fs";
import type { Figure } from "../figures/figure.js";
import { figureNames } from "../figures/names.js";
import { nameOf } from "../state/short-names.js";
import { readNumber } from "../state/number.js";
import { didYouMean } from "../state/suggest.js";
import { type Typed, valueOf } from "./arguments.js";
import { BrowserPage, browserHere } from "./browser.js";

/** How wide a figure is drawn, px, as in an article. */
const usualWidth = 560;
const longest_ms = 60_000;

/** What the tag takes besides the inputs of all calculations, with what help says of each. */
export const figureOptions: Readonly<Record<string, string>> = {
  of: `The figure; one of ${figureNames.join(", ")}`,
  step: "Its state: for the ring the round, for fit the layers, for knife and cells the cut, for switch and hide 0 or 1",
  watch: "The GPU that the ring follows",
  size: "How high its picture may get, px",
  say: "Its title, instead of its own",
  colors: "auto, which follows the reader’s setting, light or dark",
};

/** What a link has, too: a tag copied from it is taken as it is. */
const own = [...Object.keys(figureOptions), "units", "link"];
const allColors = ["auto", "light", "dark"];

/** The attributes of the tag, as they were typed, with all that is wrong with them. */
export function attributesOf(engine: Engine, { values, repeated, words, switches, sweeps }: Typed) {
  const inputs = Object.values(engine.describe()).flatMap((calculation) => calculation.inputs);
  const wrong = [
    ...words.map((word) => `“${word}” has no name: of=ring, say`),
    ...[...repeated].map((name) => `${name} is given twice; give it once`),
    ...[...switches].map((name) => `figure takes no --${name}; it writes an SVG`),
    ...(sweeps.length > 0 ? ["figure takes no --sweep; it writes one SVG"] : []),
  ];
  const attributes: Record<string, string> = {};
  for (const [typed, text] of values) {
    const name = nameOf(inputs, typed);
    const input = inputs.find((one) => one.name === name);
    const { problem } = input ? valueOf(input, text) : {};
    if (!input && !own.includes(name))
      wrong.push(`figure takes no ${name}${didYouMean(name, [...own, ...inputs.map((one) => one.name)])}`);
    if (problem) wrong.push(problem.message);
    if (!input && ["step", "watch", "size"].includes(name) && readNumber(text) === undefined)
      wrong.push(`${name} must be a number; got “${text}”`);
    if (name === "colors" && !allColors.includes(text))
      wrong.push(`colors must be auto, light or dark; got “${text}”${didYouMean(text, allColors)}`);
    attributes[name] = text;
  }
  return { attributes, wrong };
}

/** What drew it, or why it was not drawn. */
export type Drawn = { svg: string } | { wrong: string } | { missing: string };

/**
 * Runs in the browser's page: draws the figure that those attributes ask for, and returns what it finds wrong with
 * them.
 */
async function draw(attributes: Record<string, string>, longest: number): Promise<{ svg?: string; wrong: string }> {
  const figure = document.createElement("commcost-figure") as Figure;
  for (const [name, text] of Object.entries(attributes)) figure.setAttribute(name, text);
  document.body.append(figure);
  const told = (root: ParentNode): string[] =>
    [...root.querySelectorAll<HTMLElement>("*")].flatMap((one) => [
      ...(one.matches('[role="alert"], .author') ? [one.innerText.trim()] : []),
      ...(one.shadowRoot ? told(one.shadowRoot) : []),
    ]);
  const frames = async (count: number) => {
    for (let left = count; left > 0; --left) await new Promise(requestAnimationFrame);
  };
  for (const end = performance.now() + longest; performance.now() < end; await frames(1)) {
    const problems = figure.scenario ? (figure.outcome.problems ?? []).map(({ message }) => message) : [];
    const wrong = [...told(figure.shadowRoot ?? figure), ...problems].filter(Boolean).join("\n");
    // A tag shows the rest all the same.
    if (wrong) return { wrong: wrong.replace(" What is unknown was left out.", "") };
    if (!figure.scenario || !figure.still()) continue;
    // A first drawing tells it how wide it is.
    await frames(4);
    const colors = attributes["colors"];
    return { svg: figure.still(colors === "light" || colors === "dark" ? colors : "auto")!, wrong: "" };
  }
  return { wrong: "" };
}

/** A figure as an SVG that stands alone, drawn by a browser on this machine with the package's own elements. */
export async function drawnFigure(attributes: Record<string, string>, width = usualWidth): Promise<Drawn> {
  const browser = browserHere();
  if (browser === undefined)
    return {
      missing: process.env["COMMCOST_BROWSER"]
        ? `COMMCOST_BROWSER is no program that can be run: ${process.env["COMMCOST_BROWSER"]}`
        : "A browser on this machine draws figures: Chrome, Chromium or Edge. None was found; COMMCOST_BROWSER=/path/to/one names it",
    };
  const page = await BrowserPage.open(browser);
  try {
    await page.run(`document.body.style.cssText = "margin: 0; width: ${width}px"`);
    await page.run(readFileSync(new URL("../commcost-element-whole.js", import.meta.url), "utf8"));
    const asked = [attributes, longest_ms].map((one) => JSON.stringify(one)).join(", ");
    const { svg, wrong } = (await page.run(`(${draw})(${asked})`)) as Awaited<ReturnType<typeof draw>>;
    if (svg) return { svg };
    return wrong ? { wrong } : { missing: `${browser} has drawn nothing in ${longest_ms / 1000} seconds` };
  } finally {
    await page.close();
  }
}
