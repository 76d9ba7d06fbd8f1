/** A question worth asking first, and what those who ran it published. */
export interface Example {
  name: string;
  model: string;
  accelerator: string;
  cluster_gpus: string;
  global_batch_size: string;
  sequence_length: string;
  token_budget: string;
  published: { says: string; source: string; link: string };
}

export const examples: readonly Example[] = [
  {
    name: "Llama 3.1 405B on 16,384 H100",
    model: "llama-3.1-405b",
    accelerator: "h100-sxm",
    cluster_gpus: "16384",
    global_batch_size: "2048",
    sequence_length: "8192",
    token_budget: "15.6e12",
    published: {
      says: "41 % MFU with tensor 8, pipeline 16, data 128",
      source: "arXiv:2407.21783, table 4",
      link: "https://arxiv.org/abs/2407.21783",
    },
  },
  {
    name: "Llama 3 70B on 512 H100",
    model: "llama-3.1-70b",
    accelerator: "h100-sxm",
    cluster_gpus: "512",
    global_batch_size: "1024",
    sequence_length: "8192",
    token_budget: "1e12",
    published: {
      says: "14.7 s a step with tensor 4, pipeline 4, context 2, data 16",
      source: "NVIDIA/dgxc-benchmarking llama3.1/README.md @741c886 (v25.04)",
      link: "https://github.com/NVIDIA/dgxc-benchmarking",
    },
  },
  {
    name: "GPT-3 175B on 1,024 A100",
    model: "gpt3-175b",
    accelerator: "a100-sxm-80gb",
    cluster_gpus: "1024",
    global_batch_size: "1536",
    sequence_length: "2048",
    token_budget: "3e11",
    published: {
      says: "about 32 s a step, everything recomputed, software of 2021",
      source: "github.com/NVIDIA/Megatron-LM, README of 2021",
      link: "https://github.com/NVIDIA/Megatron-LM",
    },
  },
];
