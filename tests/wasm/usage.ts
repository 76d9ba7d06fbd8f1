// A small program against commcost.d.ts: what is right must type-check, what is wrong must not.
import { InvalidInputError, loadEngine, type Engine, type Problem } from "../../build/engine/commcost.js";

const engine: Engine = await loadEngine();

const cost = engine.tensor_parallel_allreduce_cost({
  hidden_size: 4096,
  sequence_length: 2048,
  batch_size: 8,
  num_gpus: 8,
  num_layers: 32,
  bandwidth_gb_per_sec: 300,
});
const milliseconds: number = cost.total_comm_time_ms;

// @ts-expect-error an input is missing
engine.tensor_parallel_allreduce_cost({ hidden_size: 4096, sequence_length: 2048, batch_size: 8, num_gpus: 8 });
// @ts-expect-error text where a number is meant
engine.tensor_parallel_allreduce_cost({ ...cost, hidden_size: "4096" });
// @ts-expect-error inputs are needed
engine.tensor_parallel_allreduce_cost();
// @ts-expect-error no such result
cost.total_time_ms;
// @ts-expect-error no such calculation
engine.tensor_parallel_cost({});

const [link] = engine.hardware_catalog().links;
const where: "scale_up" | "host" | "network" | undefined = link?.link_class;
// @ts-expect-error a choice is one of its names
const elsewhere: "moon" | undefined = link?.link_class;

const swept = engine.sweep({
  calculation: "tensor_parallel_allreduce_cost",
  inputs: { hidden_size: 4096 },
  axes: [{ field: "num_gpus", values: Float64Array.of(2, 4, 8) }],
});
const column: Float64Array | undefined = swept.results["total_comm_time_ms"];
// @ts-expect-error axes are needed
engine.sweep({ calculation: "tensor_parallel_allreduce_cost", inputs: {} });

const prepared = engine.prepare("training_step", { model: "llama-3.1-70b" }).set("tensor_parallel", 8);
const took: number = prepared.set("recompute", undefined).run().step_time_ms;
// @ts-expect-error no such input
prepared.set("tensor_ranks", 8);
// @ts-expect-error text where a number is meant
prepared.set("tensor_parallel", "8");
// @ts-expect-error no such calculation
engine.prepare("training_steps");
// @ts-expect-error nobody changes a result
prepared.run().step_time_ms = 1;
prepared.close();

const ring = {
  collective: "all_reduce",
  algorithm: "ring",
  ranks: 8,
  latency_us: 5,
  bandwidth_gb_per_sec: 50,
} as const;
const rounds: readonly Float64Array[] = engine.collective_timeline({ ...ring, message_size_bytes: 1024 }).ready_us;
// @ts-expect-error whole numbers come as a plain list
const held: readonly Float64Array[] = engine.collective_schedule(ring).chunks_at_end;

const greatest: number | undefined = engine.describe()["model_catalog"]?.inputs[0]?.greatest;

try {
  engine.model_catalog({});
} catch (error) {
  if (error instanceof InvalidInputError) {
    const problems: readonly Problem[] = error.problems;
    // @ts-expect-error problems are the engine's own
    error.problems = problems;
  }
}

export { column, elsewhere, greatest, held, milliseconds, rounds, took, where };
