#include "bench/validation/steps/measured_steps.h"

#include <algorithm>
#include <map>

#include "bench/validation/csv.h"
#include "core/parallel/layout_problems.h"
#include "core/parallel/recipes.h"

namespace commcost::validation::steps {
namespace {

// Where the source says what its stack does: without its constants.
void set_as_other(MeasuredStep& row) {
  Job other;
  fill(other, *find_recipe("other"));
  row.as_other = row.job;
  row.as_other.stack = other.stack;
}

// Megatron-DeepSpeed on A100: vTrain's tables.
void add_a100(const std::string& data, std::vector<MeasuredStep>& rows) {
  for (const Row& cells : read_csv(data + "/measured_steps_a100.csv")) {
    MeasuredStep row;
    Job& in = row.job;
    row.source = "github.com/VIA-Research/vTrain";
    row.stack = "Megatron-DeepSpeed";
    row.recipe = "megatron-2021";
    row.table = cells.at("set") == "multi" ? "A100 64 GPUs, 3.6B" : "A100 single node";
    in.model.num_layers = whole(cells, "layers");
    in.model.hidden_size = whole(cells, "hidden");
    in.model.num_heads = whole(cells, "heads");
    in.model.vocab_size = 51200;
    in.model.tied_embeddings = true;
    in.model.biases = true;
    in.work.sequence_length = whole(cells, "seq");
    in.work.batch_size = whole(cells, "micro_batch");
    in.work.global_batch_size = whole(cells, "global_batch");
    in.work.recompute = Recompute::full;
    in.layout.tensor_parallel = whole(cells, "tp");
    in.layout.pipeline_parallel = whole(cells, "pp");
    in.layout.data_parallel = whole(cells, "dp");
    in.machine.accelerator = place_of_accelerator("a100-sxm-80gb");
    in.machine.nic_gb_per_sec = 12.5;
    fill(in, *find_recipe("megatron-2021"));
    // Megatron of 2022: gradients are reduced during weight gradients.
    in.layout.overlap_tensor = true;
    set_as_other(row);
    row.measured_ms = number(cells, "iteration_ms");
    row.fitted = in.layout.tensor_parallel == 1;
    rows.push_back(std::move(row));
  }
}

// nanotron on H100: the Playbook's runs.
void add_h100(const std::string& data, std::vector<MeasuredStep>& rows) {
  for (const Row& cells : read_csv(data + "/measured_steps_h100.csv")) {
    if (cells.at("consistent") != "1") continue;
    MeasuredStep row;
    Job& in = row.job;
    row.source = "Ultra-Scale Playbook, its grid of runs";
    row.stack = "nanotron";
    row.recipe = "nanotron";
    const std::int64_t nodes = whole(cells, "nodes");
    in.model.num_layers = whole(cells, "layers");
    in.model.hidden_size = whole(cells, "hidden");
    in.model.num_heads = whole(cells, "heads");
    in.model.ffn_hidden_size = whole(cells, "ffn");
    in.model.gated_mlp = true;
    in.model.vocab_size = 131072;
    in.model.tied_embeddings = true;
    in.work.sequence_length = whole(cells, "seq");
    in.work.batch_size = whole(cells, "microbatch");
    in.work.global_batch_size = whole(cells, "global_batch");
    in.layout.tensor_parallel = whole(cells, "tp");
    in.layout.sequence_parallel = in.layout.tensor_parallel > 1;
    in.layout.pipeline_parallel = whole(cells, "pp");
    in.layout.data_parallel = whole(cells, "dp");
    in.layout.zero_stage = whole(cells, "zero_stage");
    in.machine.accelerator = place_of_accelerator("h100-sxm");
    in.machine.nic_gb_per_sec = 50;
    in.machine.network = static_cast<int>(NetworkKind::efa);
    fill(in, *find_recipe("nanotron"));
    if (in.layout.pipeline_parallel > 1) {
      row.table = "H100 several stages";
    } else if (nodes > 8) {
      row.table = "H100 one stage, 16 nodes and more";
    } else if (in.layout.tensor_parallel > in.machine.gpus_per_node) {
      row.table = "H100 one stage, up to 8 nodes, tensor across nodes";
    } else {
      row.table = "H100 one stage, up to 8 nodes";
    }
    row.as_other = in;
    fill(row.as_other, *find_recipe("other"));
    row.measured_ms = number(cells, "step_ms_derived");
    row.memory_gib = number(cells, "peak_mem_gb");
    row.fitted = in.layout.tensor_parallel == 1 && in.layout.pipeline_parallel == 1 && nodes <= 8;
    rows.push_back(std::move(row));
  }
}

void add_paper(const Row& cells, MeasuredStep& row) {
  row.source = cells.at("source");
  row.stack = "Megatron-LM";
  row.recipe = "megatron-2021";
}

// Table 4 of arXiv:2205.05198: passes of one layer of its 22B model.
void add_layers(const std::string& data, std::vector<MeasuredStep>& rows) {
  const std::map<std::string, Measured> metrics = {{"layer_forward", Measured::layer_forward},
                                                   {"layer_backward", Measured::layer_backward},
                                                   {"layer_total", Measured::layer_total}};
  for (const Row& cells : read_csv(data + "/published_steps.csv")) {
    const auto metric = metrics.find(cells.at("metric"));
    if (metric == metrics.end()) continue;
    MeasuredStep row;
    Job& in = row.job;
    const std::string& how = cells.at("recompute");
    in.stack = find_recipe("megatron-2021")->stack;
    row.table = "Korthikanti 2022, one layer of 22B";
    add_paper(cells, row);
    row.id = cells.at("id") + " " + metric->first.substr(std::string("layer_").size());
    row.measured = metric->second;
    in.model.num_layers = whole(cells, "layers");
    in.model.hidden_size = whole(cells, "hidden");
    in.model.num_heads = whole(cells, "heads");
    in.model.vocab_size = 51200;
    in.model.biases = true;
    in.work.sequence_length = whole(cells, "seq");
    in.work.batch_size = whole(cells, "micro_batch");
    in.work.recompute = how == "full"                                 ? Recompute::full
                        : how == "selective" || how == "selective+sp" ? Recompute::selective
                                                                      : Recompute::none;
    in.layout.tensor_parallel = whole(cells, "tp");
    in.layout.sequence_parallel = how == "sp" || how == "selective+sp";
    in.layout.regather_input = in.layout.overlap_tensor = true;
    in.machine.accelerator = place_of_accelerator("a100-sxm-80gb");
    in.work.gradient_bytes_per_element = 2;
    set_as_other(row);
    row.measured_ms = number(cells, "value");
    rows.push_back(std::move(row));
  }
}

void add_published(const std::string& data, std::vector<MeasuredStep>& rows) {
  for (const Row& cells : read_csv(data + "/published_steps.csv")) {
    if (cells.at("metric") != "step_time") continue;
    MeasuredStep row;
    Job& in = row.job;
    row.id = cells.at("id");
    add_paper(cells, row);
    in.stack = find_recipe("megatron-2021")->stack;
    const bool v100 = cells.at("gpu").starts_with("V100");
    const bool weak = row.id.starts_with("megatron");
    const bool narayanan = row.id.starts_with("sc21");
    in.model.num_layers = whole(cells, "layers");
    in.model.hidden_size = whole(cells, "hidden");
    in.model.num_heads = whole(cells, "heads");
    in.model.vocab_size = whole(cells, "vocab", 51200);
    in.model.tied_embeddings = true;
    in.model.biases = true;
    in.work.sequence_length = whole(cells, "seq");
    in.work.batch_size = whole(cells, "micro_batch", 1);
    in.work.global_batch_size = whole(cells, "global_batch");
    in.layout.tensor_parallel = whole(cells, "tp");
    in.layout.sequence_parallel = whole(cells, "seq_parallel") == 1;
    in.layout.pipeline_parallel = whole(cells, "pp");
    in.layout.virtual_stages = whole(cells, "vp", 1);
    if (in.layout.virtual_stages > 1) in.layout.pipeline_schedule = PipelineSchedule::interleaved;
    in.layout.data_parallel = whole(cells, "dp");
    in.work.recompute = cells.at("recompute") == "selective" ? Recompute::selective : Recompute::full;
    in.machine.accelerator = place_of_accelerator(v100   ? "v100-sxm"
                                                  : weak ? "a100-sxm-40gb"
                                                         : "a100-sxm-80gb");
    in.machine.gpus_per_node = v100 ? 16 : 8;
    in.machine.nic_gb_per_sec = 25;
    // What Megatron did at the time: no gradient reduction during weight gradients before 2022; torch's
    // data-parallel wrapper, which reduces during the backward pass, in the runs of 2020 (its README), its
    // own afterwards.
    in.work.gradient_bytes_per_element = 2;
    in.layout.scatter_gather = true;
    in.layout.regather_input = true;
    in.layout.overlap_tensor = !weak && !narayanan;
    in.layout.overlap_data = weak;
    if (weak) in.work.batch_size = v100 ? 8 : 16;
    row.table = narayanan ? "Narayanan 2021, A100"
                : row.id.starts_with("korth")
                    ? (in.layout.data_parallel > 1 ? "Korthikanti 2022, with data parallelism"
                                                   : "Korthikanti 2022, A100")
                : row.id.starts_with("megatron-tpd")
                    ? "Megatron 2020 weak scaling, A100, with data parallelism"
                : weak ? (v100 ? "Megatron 2020 weak scaling, V100" : "Megatron 2020 weak scaling, A100")
                       : "MT-NLG 2022, A100";
    row.measured_ms = number(cells, "value") * (cells.at("unit") == "s" ? 1e3 : 1);
    row.fitted = in.layout.tensor_parallel == 1;
    if (narayanan) {
      // The table gives no micro-batch; the paper used the best: so do we, among those that fit.
      double best = 0;
      MeasuredStep candidate = row;
      for (std::int64_t size = 1; size <= 16; size *= 2) {
        candidate.job.work.batch_size = size;
        const Outcome<TrainingStep> step = training_step({candidate.job});
        if (!step || !step->fits) continue;
        if (best == 0 || step->step_time_ms < best) {
          best = step->step_time_ms;
          row.job.work.batch_size = size;
        }
      }
    }
    set_as_other(row);
    rows.push_back(std::move(row));
  }
}

}  // namespace

std::vector<MeasuredStep> measured_steps(const std::string& data) {
  std::vector<MeasuredStep> rows;
  add_a100(data, rows);
  add_h100(data, rows);
  add_published(data, rows);
  add_layers(data, rows);
  return rows;
}

double predicted_ms(const MeasuredStep& row, const MachineScales& scales) {
  const Job job = completed(row.job);
  if (!can_exist(job)) return 0;
  if (row.measured == Measured::step) return step_summary(job, scales).parts.total_us() * 1e-3;
  const StepModel model(job, scales);
  const LayerTime layer = layer_times(model).dense;
  // What is hidden is hidden in the backward pass.
  const double forward_us = layer.forward_us + layer.tensor.forward_us;
  switch (row.measured) {
    case Measured::layer_forward:
      return forward_us * 1e-3;
    case Measured::layer_backward:
      return (layer.device_us() - forward_us) * 1e-3;
    default:
      return layer.device_us() * 1e-3;
  }
}

double predicted_as_other_ms(MeasuredStep row) {
  row.job = row.as_other;
  return predicted_ms(row);
}

}  // namespace commcost::validation::steps
