// A build with changes as switches (tests/mutate/page.mjs): which one is on, and which a test reaches, in pages and their
// workers as in modules that a test loads by itself.
import { appendFileSync } from "node:fs";
import { join } from "node:path";

const { COMMCOST_MUTANT, COMMCOST_REACHED } = process.env;
/** Other runners load modules of the page as well. */
const { test } = COMMCOST_REACHED ? await import("@playwright/test") : {};
const mutant = COMMCOST_MUTANT ? Number(COMMCOST_MUTANT) : undefined;

let [running, seen] = ["", new Set()];

/** Notes a switch that is reached, by the title of the test that runs; there is none while the file is read. */
function reached(id) {
  let title;
  try {
    ({ title } = test.info());
  } catch {
    title = undefined;
  }
  if (running !== title) [running, seen] = [title, new Set()];
  if (seen.has(id)) return;
  seen.add(id);
  appendFileSync(join(COMMCOST_REACHED, `${process.pid}`), `${JSON.stringify({ title, id })}\n`);
}

globalThis.commcostMutant = mutant;
if (COMMCOST_REACHED) globalThis.commcostReached = reached;

/** Runs in each page before its own scripts. */
function tellPage({ mutant, channel }) {
  globalThis.commcostMutant = mutant;
  const name = JSON.stringify({ commcostMutant: mutant, channel });
  const Plain = globalThis.Worker;
  globalThis.Worker = class Worker extends Plain {
    constructor(address, options) {
      super(address, { ...options, name });
    }
  };
  if (!channel) return;
  const seen = new Set();
  let fresh = [];
  globalThis.commcostReached = (id) => {
    if (seen.has(id)) return;
    seen.add(id);
    fresh.push(id);
    if (fresh.length === 1)
      queueMicrotask(() => {
        globalThis.commcostNote(fresh);
        fresh = [];
      });
  };
  new BroadcastChannel(channel).onmessage = ({ data }) => globalThis.commcostReached(data);
}

export async function withSwitches(context) {
  if (mutant === undefined && !COMMCOST_REACHED) return;
  if (COMMCOST_REACHED) await context.exposeBinding("commcostNote", (_, ids) => ids.forEach(reached));
  await context.addInitScript(tellPage, { mutant, channel: COMMCOST_REACHED && "commcost reached" });
}
