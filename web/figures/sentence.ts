import { originsIn } from "./numbers.js";
import type { Message, Replay } from "./replay.js";
import { capital } from "../state/format.js";

/** A round in a sentence about one GPU. */

const gpu = (replay: Replay, node: number): string => (node === replay.ranks ? "the switch" : `GPU ${node}`);

/** "chunk 3", "chunks 4 to 7", "chunks 0, 2 and 4". */
function chunkNames(replay: Replay, { chunks }: Message): string {
  const rows = [...new Set(chunks.map((chunk) => replay.rowOf(chunk)))].sort((a, b) => a - b);
  const [first, last] = [rows[0]!, rows.at(-1)!];
  if (rows.length === 1) return replay.rows === 1 ? "the message" : `chunk ${first}`;
  if (rows.length === replay.rows) return "the whole message";
  if (last - first === rows.length - 1) return `chunks ${first} to ${last}`;
  return `${rows.length} chunks`;
}

/** Which message the sentence is about: one that the GPU gets, otherwise one that it sends, otherwise any. */
function telling(messages: readonly Message[], gpu: number): Message {
  return messages.find(({ to }) => to === gpu) ?? messages.find(({ from }) => from === gpu) ?? (messages[0] as Message);
}

function received(replay: Replay, round: number, message: Message): string {
  const { from, to, chunks, reduce } = message;
  const names = chunkNames(replay, message);
  const hold = names.startsWith("chunks") || /^\d/.test(names) ? "hold" : "holds";
  const cell = replay.cell(round, to, replay.rowOf(chunks[0]!));
  const parts = originsIn(cell.parts, replay.ranks).length;
  const [receiver, sender] = [gpu(replay, to), gpu(replay, from)];
  if (reduce) {
    const part = round === 1 ? "part" : "sum";
    return `${capital(receiver)} adds ${sender}’s ${part}: ${names} now ${hold} ${parts} of ${replay.ranks}.`;
  }
  if (to === replay.ranks) return `The switch takes ${names} from ${sender}.`;
  const has = Array.from({ length: replay.rows }, (_, row) => replay.cell(round, to, row)).filter(({ done }) => done);
  const what = replay.adds ? (cell.done ? "finished " : "") : "";
  const tail = has.length > 0 ? `: it has ${has.length} of ${replay.rows}` : ", to pass it on";
  return `${capital(receiver)} takes ${what}${names} from ${sender}${replay.rows > 1 ? tail : ""}.`;
}

/** What is held at first. */
function beginning(replay: Replay): string {
  const holders = replay.schedule.chunks_at_start.filter((chunks) => chunks.length > 0).length;
  if (replay.adds)
    return `Each GPU holds its own part of ${replay.rows === 1 ? "the sum" : `all ${replay.rows} chunks`}.`;
  if (holders === 1) return "GPU 0 holds everything.";
  return "Each GPU holds what is its own.";
}

/** What round `round` (from 1; 0: before the first) does to one GPU. */
export function roundSentence(replay: Replay, round: number, watched: number): string {
  const messages = replay.rounds[round - 1];
  if (replay.rounds.length === 0) return "One GPU keeps what it has.";
  if (round === 0 || !messages || messages.length === 0) return beginning(replay);
  const told = received(replay, round, telling(messages, watched));
  return round === replay.rounds.length ? `${told} Done: every GPU has what it needs.` : told;
}
