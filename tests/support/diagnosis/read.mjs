// What a case's files say, read by the page's own reader, and what the engine makes of them.
import { load } from "../../page/support/source.mjs";

const { readFile } = await load("state/reader/read-file.ts");
const { diagnosed } = await load("state/diagnosis/request.ts");
const { timesOf } = await load("state/own-runs.ts");

/** The inputs of diagnose, of a job and its files. */
export async function requestOf(engine, job, files) {
  const measured = { devices: [], logs: [] };
  for (const { name, text } of files) {
    const reading = await readFile(new Blob([text]), engine, () => {});
    if (reading.kind === "runs") measured.step_times_ms = timesOf(reading.log);
    else if (reading.kind === "trace") measured.devices.push(...reading.devices);
    else if (reading.kind === "log") measured.logs.push(engine.fit_collective({ log: reading.text }));
    else if (reading.kind === "samples") measured.gpus = reading.samples.gpus;
    else throw new Error(`${name} is read as ${reading.kind}`);
  }
  return diagnosed(job, measured);
}
