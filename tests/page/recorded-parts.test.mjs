// What parts of views said that stand below their sentences, when that was last read.
import { loadEngine } from "../../build/engine/commcost.js";
import {
  derivationLines,
  ownFileLines,
  partModules,
  pipelineLines,
  profileLines,
  searchLines,
} from "./support/parts.mjs";
import { recordedTest, withoutDigits } from "./support/recorded.mjs";
import { loadAll } from "./support/source.mjs";

const engine = await loadEngine();
const page = await loadAll(partModules);
const recorded = (name, count, lines) =>
  recordedTest(name, count, (number) => lines(page, engine, number), withoutDigits);

recorded("derivations", 60, derivationLines);
recorded("pipelines", 20, pipelineLines);
recorded("searches", 6, searchLines);
recorded("profiles", 4, profileLines);
// These name models and machines.
recordedTest("own-files", 24, (number) => ownFileLines(page, engine, number));
