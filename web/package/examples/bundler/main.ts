import { InvalidInputError, loadEngine } from "commcost";
import "commcost/element";

const ring = document.createElement("commcost-ring");
ring.ranks = 7;
ring.readonly = true;
ring.addEventListener("change", ({ detail }) => {
  if (detail.results) document.title = `${detail.results.rounds} rounds`;
});
document.querySelector("main")!.append(ring);

const engine = await loadEngine();
try {
  const { total_comm_time_ms } = engine.tensor_parallel_allreduce_cost({
    hidden_size: 4096,
    sequence_length: 2048,
    batch_size: 8,
    num_gpus: 8,
    num_layers: 32,
  });
  document.querySelector("#time")!.textContent = `${total_comm_time_ms} ms`;
} catch (error) {
  if (error instanceof InvalidInputError)
    document.querySelector("#time")!.textContent = error.problems.map(({ message }) => message).join(", ");
}
