import { collectives, serving, steps } from "virtual:scoreboard";
import { readAsked } from "./asked.js";
import "./board.js";
import type { Scoreboard } from "./board.js";
import { dotOfRun, dotOfServed, dotOfTimed } from "./dots.js";
import { unpacked, type Run, type Served, type Timed } from "./runs.js";

const board = document.querySelector<Scoreboard>("commcost-scoreboard")!;
board.steps = unpacked<Run>(steps).map(dotOfRun);
board.serving = unpacked<Served>(serving).map(dotOfServed);
board.collectives = unpacked<Timed>(collectives).map(dotOfTimed);
board.asked = readAsked(location.search);

// The way back keeps the scenario, which the address carries as the page's own links do.
if (location.hash) {
  for (const back of document.querySelectorAll<HTMLAnchorElement>("a.back")) back.hash = location.hash;
}
