// What search engines and messengers are given for each page: title and description; and if the site's own address is
// known (COMMCOST_BASE=https://… npm run build), also that of the page and of a picture, which they can't find out
// otherwise.
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { root } from "./plugins.mjs";

/** Pages that search engines should ignore: a frame's content, and the copy in one file. */
const left = ["embed.html", "commcost.html"];
/** The picture of a page, of web/pictures. */
const pictures = {
  "index.html": "learn",
  "practice.html": "ring",
  "scoreboard.html": "network",
  "formulas/network.html": "network",
};
const pictureOf = (page) => pictures[page] ?? (page.startsWith("formulas/") ? "ring" : "cost");

const mostLetters = 180;
const escaped = (text) => text.replace(/&(?!\w+;)/g, "&amp;").replace(/"/g, "&quot;");

/** A page's lead without its tags, up to the end of a sentence, or of a word. */
function leadOf(html) {
  const [, lead = ""] = /<p class="headline"[^>]*>([\s\S]*?)<\/p>/.exec(html) ?? [];
  const text = lead
    .replace(/<[^>]*>/g, "")
    .replace(/\s+/g, " ")
    .trim();
  if (text.length <= mostLetters) return text;
  const cut = text.slice(0, mostLetters);
  return cut.slice(0, Math.max(cut.lastIndexOf(". ") + 1, 0)) || `${cut.slice(0, cut.lastIndexOf(" "))}…`;
}

/** The lines that a page's head lacks. */
function linesOf(html, page, base) {
  const [, title] = /<title>([^<]*)<\/title>/.exec(html);
  const [, said] = /<meta name="description" content="([^"]*)"/.exec(html) ?? [];
  const description = said ?? escaped(leadOf(html));
  const address = base && new URL(page.replace(/(^|\/)index\.html$/, "$1"), base).href;
  const pairs = [
    ...(said === undefined ? [["name", "description", description]] : []),
    ["property", "og:type", "website"],
    ["property", "og:site_name", "commcost"],
    ["property", "og:title", escaped(title)],
    ["property", "og:description", description],
    ...(base
      ? [
          ["property", "og:url", address],
          ["property", "og:image", new URL(`pictures/${pictureOf(page)}.png`, base).href],
          ["name", "twitter:card", "summary_large_image"],
        ]
      : []),
  ];
  const meta = pairs.map(([kind, name, content]) => `<meta ${kind}="${name}" content="${content}">`);
  return [...meta, ...(base ? [`<link rel="canonical" href="${address}">`] : [])].join("\n");
}

/** Writes them into the pages of a built site; `base` is its address, if that is known. */
export function cards(site, base = "") {
  if (base && !/^https?:\/\/.*\/$/.test(base))
    throw new Error(`COMMCOST_BASE must be an address that ends in /: ${base}`);
  const pages = readdirSync(site, { recursive: true }).filter((name) => name.endsWith(".html") && !left.includes(name));
  for (const page of pages) {
    const html = readFileSync(`${site}/${page}`, "utf8");
    writeFileSync(
      `${site}/${page}`,
      html.replace("</head>", () => `${linesOf(html, page, base)}\n</head>`),
    );
  }
  if (base) cpSync(`${root}web/pictures`, `${site}/pictures`, { recursive: true });
}
