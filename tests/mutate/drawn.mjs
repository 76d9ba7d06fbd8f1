// The changes that can be made in core's formulas, in an order that a seed gives, and their switches' numbers.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { mutantsOf } from "./mutants.mjs";
import { root, sources } from "./scratch.mjs";

/** Tables, not formulas: their figures are held against their sources. */
const tables = /(catalog|accelerators|links|systems|constants|_table|_tables)\.cpp$/;

const hashed = (text) => createHash("sha256").update(text).digest("hex");

/** All changes of files that begin as one of these, in the order of a seed: by a hash of what they are, so that other lines' edits move none. */
export function drawn(seed, only) {
  const files = sources()
    .filter((file) => /^core\/.*\.(cpp|h)$/.test(file) && !tables.test(file))
    .filter((file) => only.split(",").some((part) => file.startsWith(part)));
  const all = files.flatMap((file) => mutantsOf(file, readFileSync(join(root, file), "utf8")));
  const order = (mutant) => hashed(`${seed} ${mutant.name}`);
  return all
    .map((mutant) => ({ mutant, order: order(mutant) }))
    .sort((a, b) => (a.order < b.order ? -1 : 1))
    .map(({ mutant }) => mutant);
}

/** With a switch's number each, which another draw leaves alone where it can. */
export function numbered(mutants) {
  const taken = new Set();
  return mutants.map((mutant) => {
    let id = Number.parseInt(hashed(mutant.name).slice(0, 4), 16) || 1;
    while (taken.has(id)) id = (id % 0xffff) + 1;
    taken.add(id);
    return { ...mutant, id };
  });
}
