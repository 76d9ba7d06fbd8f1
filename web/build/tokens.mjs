// The design's tokens for style sheets that a page links, which get them from no script.
import { build } from "esbuild";
import { root } from "./plugins.mjs";

const source = `${root}web/elements/tokens.ts`;

/** What web/elements/tokens.ts exports. */
export async function tokens() {
  const { outputFiles } = await build({ entryPoints: [source], bundle: true, write: false, format: "esm" });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}

/** A style sheet with those that it names. */
export async function withTokens(css) {
  const { properties } = await tokens();
  const named = new Set([...css.matchAll(/var\(--([\w-]+)/g)].map(([, name]) => name));
  const declared = Object.entries(properties).filter(([name]) => named.has(name));
  return `:root{${declared.map(([name, value]) => `--${name}:${value}`).join(";")}}\n${css}`;
}

/** Gives linked style sheets their tokens; those of shadow roots have theirs from web/elements/theme.ts. */
export const linkedTokens = () => ({
  name: "linked-tokens",
  enforce: "pre",
  transform(css, id) {
    if (!id.split("?")[0].endsWith(".css") || /[?&]inline\b/.test(id)) return undefined;
    this.addWatchFile(source);
    return withTokens(css);
  },
});
