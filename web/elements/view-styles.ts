import { frameStyles } from "./answer-frame.js";
import { comparisonStyles } from "./comparison.js";
import { fieldStyles } from "./field.js";
import { base, theme } from "./theme.js";

/** Of a view with an answer, a form and what it is compared with. */
export const viewStyles = [theme, base, frameStyles, fieldStyles, comparisonStyles];
