// Refuses phrases that nobody in the trade would say in what is read: texts of the page, of the command and of the
// engine, manuals and formula pages, without comments, code, tags and names of files; and lines of help that are
// fragments. An exception names its file and says why.
import { readdirSync, readFileSync } from "node:fs";

const root = new URL("../", import.meta.url).pathname;

/** What the page and the command are made of. */
const folders = [
  "views",
  "elements",
  "figures",
  "charts",
  "app",
  "exercise",
  "state",
  "scoreboard",
  "embed",
  "practice",
  "cli",
];

const manuals = [
  ...["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "CITATION.cff"],
  ...["EMBEDDING.md", "GRADING.md", "HOSTING.md", "package/README.md", "public/llms.txt"].map((name) => `web/${name}`),
];

const refused = [
  /\bwhoever\b/i,
  /\bbeside\b/i,
  /\bhardly\b/i,
  /\bof one[’']s own\b/i,
  /\bnobody\b/i,
  /\banybody\b/i,
  /cannot be told/i,
  /\bas many as\b/i,
  /\bquickest\b/i,
  /\bquicker\b/i,
  /\ba tie\b/i,
  /\btensor ranks?\b/i,
  /tensor traffic/i,
  /replicas[’'] traffic/i,
  /between stages/i,
  /slowest replica/i,
  /waits for communication/i,
  /four (of|in) five measurements/i,
  /inputs gathered again/i,
  /in which a rank sends/i,
  /\broom: /,
  /short of /,
  /under its roof/i,
  /says it best/i,
  /what one percent more/i,
  /each added brings/i,
  /how wrong predictions/i,
  /how it comes about/i,
  /among its nearest/i,
  /until then, the last/i,
  /nothing to do again/i,
  /done again/i,
  /do again/i,
  /\brun on numbers/i,
  /what steps took/i,
  /a run a line/i,
  /whatever stands/i,
  /not sent\s+anywhere/i,
  /nothing is sent anywhere/i,
  /your own: drop/i,
  /no constant saw/i,
  /as it must end/i,
  /most to (a|the first) token/i,
  /bytes per weight, kept/i,
  /tokens sent by/i,
  /busiest experts/i,
  /more stop paying/i,
  /\b(?:more|fewer|twice the|each|every|a) ranks?\b/i,
  /\bunless told\b/i,
  /\b(?:tensor|pipeline|context|data|expert) \d/i,
  /(?:whole layers|attention core) recomputation/i,
  /\bso that [^.]*\bnot\b/i,
];

/** How no line of help begins: each is a sentence, or a noun phrase. */
const fragment = /^(?:Of|As|From|With|The same|That|What(?!-)|How|Who|Whose|While|Why|Which|When|Where)\b/;

/** Where a phrase is right after all. */
const allowed = [
  {
    file: /^(?:core\/|web\/formulas\/|web\/views\/ring\/pytorch\.ts|CONTRIBUTING\.md)/,
    phrase: /\b(?:more|fewer|twice the|each|every|a) ranks?\b/i,
    why: "code, its closed forms and what it prints count ranks",
  },
  { file: /^web\/app\/snippets\.ts$/, phrase: /\bbeside\b/i, why: "code that readers paste, not a text" },
  {
    file: /^(?:CONTRIBUTING\.md|web\/formulas\/.*)$/,
    phrase: /\btensor ranks?\b/i,
    why: "code and formulas count ranks",
  },
  { file: /^(?:CONTRIBUTING\.md|web\/formulas\/plan\.html)$/, phrase: /\ba tie\b/i, why: "where ties are defined" },
];

/** The texts of a source: its quoted strings, and its templates with a gap for each value. */
function textsOf(source) {
  const texts = [];
  let at = 0;
  const text = (end) => {
    let said = "";
    while (at < source.length && source[at] !== end) {
      if (source[at] === "\\") {
        said += source[at + 1];
        at += 2;
      } else if (end === "`" && source.startsWith("${", at)) {
        at += 2;
        code("}");
        said += "\u0000";
      } else said += source[at++];
    }
    at += 1;
    texts.push(said);
  };
  const code = (end) => {
    let depth = 0;
    while (at < source.length) {
      const [one, two] = [source[at], source.slice(at, at + 2)];
      if (two === "//") at = (source.indexOf("\n", at) + 1 || source.length + 1) - 1;
      else if (two === "/*") at = source.indexOf("*/", at) + 2;
      else if (one === '"' || one === "'" || one === "`") {
        at += 1;
        text(one);
      } else if (one === "/" && /[=(,:[!&|?]\s*$/.test(source.slice(Math.max(0, at - 20), at))) {
        // A pattern: quotes in it are no text.
        at += 1;
        while (source[at] !== "/" && source[at] !== "\n") at += source[at] === "\\" ? 2 : 1;
        at += 1;
      } else {
        if (one === end && depth === 0) {
          at += 1;
          return;
        }
        if (one === "{") depth += 1;
        if (one === "}") depth -= 1;
        at += 1;
      }
    }
  };
  code("");
  return texts;
}

/** The texts of a source in C++, each joined of its pieces. */
const textsOfCore = (source) =>
  [...source.matchAll(/'(?:[^'\\\n]|\\.)'|\/\/.*|"((?:[^"\\\n]|\\.|"\s*")*)"/g)]
    .filter(([, text]) => text)
    .map(([, text]) => text.replaceAll(/"\s*"/g, ""));

/** What a reader sees of a text: no tags, no names of modules, files, classes or events. */
const seen = (text) =>
  text
    .replaceAll(/<!--.*?-->/gs, " ")
    .replaceAll(/<[/a-z][^>]*>/gs, " ")
    .trim();
/** Of a module, a file, an element or an event. A plain word may be a label, and is read as one. */
const isName = (text) => /^[\w.:/#@-]*$/.test(text) && /[.:/#@]/.test(text);

/** The paragraphs of a manual or a page, without code. */
const paragraphsOf = (source) =>
  source
    .replaceAll(/^```.*?^```/gms, "")
    .replaceAll(/`[^`]*`/g, "`")
    .replaceAll(/<(code|data|proof)\b.*?>.*?<\/\1>/gs, "`")
    .split(/\n\s*\n|^[|-]|<\/(?:p|li|t[dh]|d[dt]|h\d)>/m);

const under = (folder, kind) =>
  readdirSync(root + folder, { recursive: true })
    .filter((name) => kind.test(name))
    .map((name) => `${folder}/${name}`);

/** Files whose texts are read, by how these are found in them. */
const read = [
  [folders.flatMap((folder) => under(`web/${folder}`, /\.ts$/)), textsOf],
  [under("core", /\.(?:h|cpp)$/), textsOfCore],
  [[...manuals, ...under("web/formulas", /\.html$/), "web/scoreboard.html"], paragraphsOf],
];

let bad = 0;
const refuse = (file, found, text) => {
  bad += 1;
  const around = text.slice(Math.max(0, found.index - 40), found.index + found[0].length + 40);
  console.error(`${file}: “${found[0]}” in “${around.replaceAll(/\s+/g, " ").replaceAll("\u0000", "…")}”`);
};
for (const [files, texts] of read)
  for (const file of files)
    for (const text of texts(readFileSync(root + file, "utf8")).map(seen)) {
      if (isName(text)) continue;
      for (const phrase of refused) {
        const found = phrase.exec(text);
        if (!found || allowed.some((one) => one.file.test(file) && String(one.phrase) === String(phrase))) continue;
        refuse(file, found, text);
      }
      const found = file.startsWith("core/calculator/") && fragment.exec(text);
      if (found) refuse(file, found, text);
    }
if (bad > 0) {
  console.error(`${bad} phrases to say as the trade does; CONTRIBUTING.md says how the page speaks.`);
  process.exit(1);
}
