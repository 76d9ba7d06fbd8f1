// The page in one file, which opens from file://: its policy allows its inline script and style by their hashes.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** A text as a policy allows it. */
export const hashOf = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** The built page with its policy, and without the files next to it on a host. */
export function singleFile(path) {
  const html = readFileSync(path, "utf8").replace(/ *<link rel="(?:icon|manifest)"[^>]*>\n/g, "");
  const hashes = (element) =>
    [...html.matchAll(new RegExp(`<${element}[^>]*>([\\s\\S]*?)</${element}>`, "g"))]
      .map((match) => hashOf(match[1]))
      .join(" ");
  const policy = `default-src 'none'; script-src ${hashes("script")} 'wasm-unsafe-eval'; style-src ${hashes("style")}; img-src blob:; worker-src blob:; base-uri 'none'; form-action 'none'`;
  return html.replace(/(http-equiv="Content-Security-Policy" content=")[^"]*/, (_, start) => start + policy);
}
