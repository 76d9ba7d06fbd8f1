import "./own-scenario.js";
import { views } from "../app/views.js";
import "./calculator.js";

/** Every view as an element for other people's pages: <commcost-calculator>, and <commcost-…> for each view of the table. */
for (const view of views) void view.load();
