// A view's sentences about a scenario, compared with its oracle. A new view needs a row in told.mjs and one here.
import assert from "node:assert/strict";
import { nonsense } from "../browser.mjs";
import { claimsIn } from "../claims.mjs";
import { remembered } from "../remembered.mjs";
import { told } from "../told.mjs";
import { checkClaims } from "../learn-oracle.mjs";
import { cost, network, ring } from "./collectives.mjs";
import { compared } from "./compared.mjs";
import { diagnose } from "./diagnose.mjs";
import { goodput } from "./goodput.mjs";
import { overlap } from "./overlap.mjs";
import { projection } from "./projection.mjs";
import { scaling } from "./scaling.mjs";
import { serve } from "./serve.mjs";
import { layout, plan, step } from "./train.mjs";

const learn = ({ engine, scenario, text }) => checkClaims(engine, scenario, text);

export const oracles = {
  cost,
  network,
  ring,
  step,
  plan,
  scaling,
  layout,
  overlap,
  diagnose,
  learn,
  serve,
  goodput,
  projection,
  compared,
};

/**
 * Checks a view's sentences about a scenario, with `page` as the modules of its sentences; returns the names of its
 * claims, or nothing if it has no sentences.
 */
export function check(whole, page, view, texts) {
  const { engine, forget } = remembered(whole);
  forget();
  const scenario = page.scenario.pageScenario(engine);
  scenario.reset(texts);
  const text = told[view](page, scenario);
  if (text === undefined) return undefined;
  const { claim, found } = claimsIn(text);
  const values = (name) => scenario.inputs(name).values;
  const named = `${view} of ${JSON.stringify(texts)}`;
  try {
    assert.equal(nonsense(text), undefined);
    assert.doesNotMatch(text, /(?<![.\d,]|− )1 (layers|rounds|times|tokens|GPUs|calls|runs|all-reduces)\b/);
    return oracles[view]({ engine, scenario, values, claim, text }) ?? found;
  } catch (error) {
    error.message = `${named}\n${error.message}`;
    throw error;
  }
}
