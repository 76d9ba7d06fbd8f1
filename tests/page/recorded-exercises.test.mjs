// What exercises said of answers, and their hints, when that was last read: the track's kinds at both levels, a layout's board, the
// four numbers with their derivation, and their function.
import { loadEngine } from "../../build/engine/commcost.js";
import {
  exerciseLines,
  exerciseModules,
  fourNumbersLines,
  functionCount,
  functionLines,
  layoutLines,
} from "./support/exercises.mjs";
import { recordedTest, withoutDigits } from "./support/recorded.mjs";
import { loadAll } from "./support/source.mjs";

const engine = await loadEngine();
const page = await loadAll(exerciseModules);
const recorded = (name, count, lines) =>
  recordedTest(name, count, (number) => lines(page, engine, number), withoutDigits);

recorded("exercises", 40, exerciseLines);
recorded("layout-exercise", 12, layoutLines);
recorded("four-numbers", 20, fourNumbersLines);
recorded("functions", functionCount, functionLines);
