/** A published step that is not in the scoreboard’s tables. */
interface PublishedStep {
  num_layers: number;
  measured_ms: number;
  pipeline_parallel: number;
  expert_parallel: number;
}

/** A question worth asking first, and what those who ran it published. */
export interface Example {
  name: string;
  model: string;
  accelerator: string;
  recipe: string;
  cluster_gpus: string;
  global_batch_size: string;
  sequence_length: string;
  token_budget: string;
  matmul_precision: string;
  published: { says: string; source: string; link: string; step?: PublishedStep };
}

export const examples: readonly Example[] = [
  {
    name: "Llama 3.1 405B on 16,384 H100",
    model: "llama-3.1-405b",
    accelerator: "h100-sxm",
    recipe: "megatron-core",
    cluster_gpus: "16384",
    global_batch_size: "2048",
    sequence_length: "8192",
    token_budget: "15.6e12",
    matmul_precision: "stored",
    published: {
      says: "41 % MFU with TP 8, PP 16, DP 128",
      source: "arXiv:2407.21783, table 4",
      link: "https://arxiv.org/abs/2407.21783",
    },
  },
  {
    name: "Llama 3 70B on 512 H100",
    model: "llama-3.1-70b",
    accelerator: "h100-sxm",
    recipe: "megatron-core",
    cluster_gpus: "512",
    global_batch_size: "1024",
    sequence_length: "8192",
    token_budget: "1e12",
    matmul_precision: "stored",
    published: {
      says: "14.7 s a step with TP 4, PP 4, CP 2, DP 16",
      source: "NVIDIA/dgxc-benchmarking llama3.1/README.md @741c886 (v25.04)",
      link: "https://github.com/NVIDIA/dgxc-benchmarking",
    },
  },
  {
    name: "DeepSeek-V3 on 2,048 H800",
    model: "deepseek-v3",
    accelerator: "h800-sxm",
    recipe: "hai-llm",
    cluster_gpus: "2048",
    global_batch_size: "15360",
    sequence_length: "4096",
    token_budget: "14.8e12",
    matmul_precision: "fp8",
    published: {
      says: "3.7 days for a trillion tokens, about 20 s a step, with PP 16, EP 64, DP 128",
      source: "arXiv:2412.19437, sections 1 and 3.2",
      // 180,000 GPU-hours for a trillion tokens.
      step: { measured_ms: 19_900, num_layers: 61, pipeline_parallel: 16, expert_parallel: 64 },
      link: "https://arxiv.org/abs/2412.19437",
    },
  },
  {
    name: "GPT-3 175B on 1,024 A100",
    model: "gpt3-175b",
    accelerator: "a100-sxm-80gb",
    recipe: "megatron-core",
    cluster_gpus: "1024",
    global_batch_size: "1536",
    sequence_length: "2048",
    token_budget: "3e11",
    matmul_precision: "stored",
    published: {
      says: "about 32 s a step, everything recomputed, software of 2021",
      source: "github.com/NVIDIA/Megatron-LM, README of 2021",
      link: "https://github.com/NVIDIA/Megatron-LM",
    },
  },
];
