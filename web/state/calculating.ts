// The worker that runs calculations: { name, inputs } is answered with its results.
import { answering } from "./answering.js";
import { ready } from "./parts.js";

answering(async (engine, { name, inputs }: { name: string; inputs: unknown }) => {
  await ready(engine, name);
  return (engine as unknown as Record<string, (inputs: unknown) => unknown>)[name]!(inputs);
});
