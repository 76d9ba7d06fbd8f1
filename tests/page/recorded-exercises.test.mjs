// What exercises said of answers, and their hints, when that was last read: the track's kinds at both levels, a layout's board, the
// four numbers with their derivation, and their function.
import * as say from "./support/exercises.mjs";
import { recorder, withoutDigits } from "./support/recorded.mjs";

const recorded = await recorder(say.exerciseModules);

recorded("exercises", 40, say.exerciseLines, withoutDigits);
recorded("layout-exercise", 12, say.layoutLines, withoutDigits);
recorded("four-numbers", 20, say.fourNumbersLines, withoutDigits);
recorded("functions", say.functionCount, say.functionLines, withoutDigits);
