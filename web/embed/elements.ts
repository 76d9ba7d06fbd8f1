import "./own-scenario.js";
import { views } from "../app/views.js";
import "./calculator.js";
import { figures } from "../figures/catalog.js";
import "../figures/figure.js";

/** Every view as an element for other people's pages: <commcost-calculator>, <commcost-…> for each view of the table, and <commcost-figure of=…>. */
// If a bundler has separated them, each works without the others.
for (const { load } of [...views, ...figures]) load().catch((error: unknown) => console.error(error));
