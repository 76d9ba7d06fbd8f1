// What each small figure said of its scenario when that was last read, whatever its reader had done.
import { figureLines, figureModules, scenarioCount } from "./support/figures.mjs";
import { recorder } from "./support/recorded.mjs";

const recorded = await recorder(figureModules);

recorded("figures", scenarioCount, figureLines);
