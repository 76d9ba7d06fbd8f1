import type { Collective } from "../../figures/collective-words.js";
import { dashed } from "../../state/format.js";

/** Each collective as a runnable PyTorch program, with the numbers that it prints. */

interface Program {
  /** The lines between setting up and tearing down; `mine` is what the rank prints. */
  body: (ranks: number) => string;
  /** What the ranks print. */
  prints: (ranks: number) => string;
  /** Gloo runs without GPUs, but lacks this. */
  needsGpus?: boolean;
}

/** The most ranks whose printed numbers are listed one by one. */
const mostListed = 5;
const list = (numbers: readonly number[]): string => `[${numbers.map((number) => `${number}.0`).join(", ")}]`;
const same = (number: number): string => list(new Array<number>(5).fill(number));
const sumTo = (ranks: number): number => (ranks * (ranks + 1)) / 2;
const ofEach = (ranks: number, line: (rank: number) => string): string =>
  Array.from({ length: Math.min(ranks, mostListed) }, (_, rank) => line(rank)).join("\n") +
  (ranks > mostListed ? "\nand so on" : "");

/** Number `element` (1, 2) of the block that rank `rank` gets of the sum: ((r + 1) i)^(j + 1), added over r. */
const scattered = (ranks: number, rank: number, element: number): number =>
  Array.from({ length: ranks }, (_, origin) => ((origin + 1) * element) ** (rank + 1)).reduce((a, b) => a + b, 0);

const programs: Record<Collective, Program> = {
  broadcast: {
    body: () => `mine = torch.arange(1.0, 6.0) if rank == 0 else torch.zeros(5)
dist.broadcast(mine, src=0)`,
    prints: () => `every rank: ${list([1, 2, 3, 4, 5])}`,
  },
  reduce: {
    body: () => `mine = torch.full((5,), rank + 1.0)
dist.reduce(mine, dst=0)  # adds up; only rank 0 may use what it has now`,
    prints: (ranks) => `rank 0: ${same(sumTo(ranks))}`,
  },
  all_reduce: {
    body: () => `mine = torch.full((5,), rank + 1.0)
dist.all_reduce(mine)  # adds up, in place`,
    prints: (ranks) => `every rank: ${same(sumTo(ranks))}`,
  },
  gather: {
    body: () => `own = torch.full((5,), rank + 1.0)
blocks = [torch.empty(5) for _ in range(ranks)] if rank == 0 else None
dist.gather(own, blocks, dst=0)
mine = torch.stack(blocks) if rank == 0 else own`,
    prints: (ranks) => `rank 0:\n${ofEach(ranks, (rank) => same(rank + 1))}`,
  },
  all_gather: {
    body: () => `own = torch.full((5,), rank + 1.0)
blocks = [torch.empty(5) for _ in range(ranks)]
dist.all_gather(blocks, own)
mine = torch.stack(blocks)`,
    prints: (ranks) => `every rank:\n${ofEach(ranks, (rank) => same(rank + 1))}`,
  },
  scatter: {
    body: () => `mine = torch.empty(5)
blocks = [torch.full((5,), block + 1.0) for block in range(ranks)] if rank == 0 else None
dist.scatter(mine, blocks, src=0)`,
    prints: (ranks) => ofEach(ranks, (rank) => `rank ${rank}: ${same(rank + 1)}`),
  },
  reduce_scatter: {
    body: () => `own = torch.tensor([1.0, 2.0], device=device) * (rank + 1)
blocks = [own ** (block + 1) for block in range(ranks)]
mine = torch.empty(2, device=device)
dist.reduce_scatter(mine, blocks)  # rank 0 gets the sum of all first blocks, and so on`,
    prints: (ranks) =>
      ofEach(ranks, (rank) => `rank ${rank}: ${list([scattered(ranks, rank, 1), scattered(ranks, rank, 2)])}`),
    needsGpus: true,
  },
  all_to_all: {
    body: () => `own = torch.arange(ranks, device=device) + 10.0 * rank
mine = torch.empty(ranks, device=device)
dist.all_to_all_single(mine, own)  # element r goes to rank r`,
    prints: (ranks) =>
      ofEach(ranks, (rank) => `rank ${rank}: ${list(Array.from({ length: ranks }, (_, from) => 10 * from + rank))}`),
    needsGpus: true,
  },
  send_receive: {
    body: () => `own, mine = torch.full((5,), rank + 1.0), torch.empty(5)
sent = dist.isend(own, (rank + 1) % ranks)
dist.recv(mine, (rank - 1) % ranks)
sent.wait()`,
    prints: (ranks) => ofEach(ranks, (rank) => `rank ${rank}: ${same(((rank + ranks - 1) % ranks) + 1)}`),
  },
  barrier: {
    body: () => `import time
start = time.time()
time.sleep(rank)  # rank 0 is there at once, the last one last
dist.barrier()
mine = torch.tensor([round(time.time() - start)], dtype=torch.float32)`,
    prints: (ranks) => `every rank: [${ranks - 1}.0], the seconds until the last arrived`,
  },
};

/** The program for a collective among so many ranks. */
export function pytorchProgram(collective: Collective, ranks: number): string {
  const { body, prints, needsGpus } = programs[collective];
  const file = `${collective}.py`;
  const setup = needsGpus
    ? `# torchrun --nproc_per_node=${ranks} ${file}        (a GPU for each rank)
import torch
import torch.distributed as dist

dist.init_process_group("nccl")
rank, ranks = dist.get_rank(), dist.get_world_size()
device = torch.device("cuda", rank)
torch.cuda.set_device(device)
`
    : `# torchrun --nproc_per_node=${ranks} ${file}        (Gloo needs no GPUs; with them use "nccl" and tensors on "cuda")
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank, ranks = dist.get_rank(), dist.get_world_size()
`;
  const printed = prints(ranks)
    .split("\n")
    .map((line) => `# ${line}`)
    .join("\n");
  return `${setup}
${body(ranks)}

print(f"rank {rank}: {mine.tolist()}")
dist.destroy_process_group()

# Prints:
${printed}
`;
}

/** Its heading. */
export const pytorchTitle = (collective: Collective): string => `The same ${dashed(collective)} in PyTorch`;
