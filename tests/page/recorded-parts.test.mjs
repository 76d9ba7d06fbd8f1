// What parts of views said that stand below their sentences, when that was last read.
import * as say from "./support/parts.mjs";
import { recorder, withoutDigits } from "./support/recorded.mjs";

const recorded = await recorder(say.partModules);

recorded("derivations", 60, say.derivationLines, withoutDigits);
recorded("pipelines", 20, say.pipelineLines, withoutDigits);
recorded("searches", 6, say.searchLines, withoutDigits);
recorded("profiles", 4, say.profileLines, withoutDigits);
// These name models and machines.
recorded("own-files", 24, say.ownFileLines);
