// A build with changes as switches (tests/mutate/page.mjs): which one is on, and which a test reaches.
import { appendFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { test } from "@playwright/test";

const { COMMCOST_MUTANT, COMMCOST_REACHED } = process.env;

export async function withSwitches(context) {
  if (COMMCOST_MUTANT) await context.addInitScript((id) => (globalThis.commcostMutant = id), Number(COMMCOST_MUTANT));
  if (COMMCOST_REACHED) {
    const notes = join(COMMCOST_REACHED, createHash("sha256").update(test.info().title).digest("hex"));
    await context.exposeBinding("commcostReached", (_, id) => appendFileSync(notes, `${id}\n`));
  }
}
