// What each small figure said of its scenario when that was last read, whatever its reader had done.
import { loadEngine } from "../../build/engine/commcost.js";
import { figureLines, figureModules, scenarioCount } from "./support/figures.mjs";
import { recordedTest } from "./support/recorded.mjs";
import { loadAll } from "./support/source.mjs";

const engine = await loadEngine();
const page = await loadAll(figureModules);

recordedTest("figures", scenarioCount, (number) => figureLines(page, engine, number));
