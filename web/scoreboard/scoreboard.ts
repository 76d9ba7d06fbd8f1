import { collectives, names, serving, steps } from "virtual:scoreboard";
import { readAsked } from "./asked.js";
import "./board.js";
import type { Scoreboard } from "./board.js";
import { dotOfRun, dotOfServed, dotOfTimed } from "./dots.js";
import { unpacked, type Run, type Served, type Timed } from "./runs.js";

const board = document.querySelector<Scoreboard>("commcost-scoreboard")!;
board.names = names;
board.steps = unpacked<Run>(steps).map((run) => dotOfRun(run, names));
board.serving = unpacked<Served>(serving).map((row) => dotOfServed(row, names));
board.collectives = unpacked<Timed>(collectives).map((row) => dotOfTimed(row, names));
board.asked = readAsked(location.search);

// The way back keeps the scenario, which the address carries as the page's own links do.
if (location.hash) {
  for (const back of document.querySelectorAll<HTMLAnchorElement>("a.back")) back.hash = location.hash;
}
