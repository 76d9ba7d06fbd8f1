import { views } from "../app/views.js";
import { ScenarioView } from "../elements/scenario-view.js";
import "./calculator.js";
import { own } from "./own-scenario.js";

/** Every view as an element for other people's pages: <commcost-calculator>, and <commcost-…> for each view of the table. */
ScenarioView.connected = (view) => {
  if (!view.scenario) void own(view);
};
for (const view of views) void view.load();
