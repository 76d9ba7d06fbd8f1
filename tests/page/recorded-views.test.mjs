// All that views draw of their scenarios, when that was last read; what their sentences say, recorded-words.test.mjs has.
import { recorder } from "./support/recorded.mjs";
import { viewCount, viewLines, viewModules } from "./support/views.mjs";

const recorded = await recorder(viewModules);

recorded("views", viewCount, viewLines, (line) => line);
