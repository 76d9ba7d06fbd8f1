#include "core/parallel/layout_problems.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "core/base/nearest.h"
#include "core/base/units.h"
#include "core/base/value.h"

namespace commcost {
namespace {

// One reason: the field to change, whether it holds, what would hold, and the current value. "#" in `allowed`
// stands for `limit`.
struct Rule {
  std::string_view field;
  bool (*holds)(const Job& job);
  std::string_view allowed;
  std::int64_t (*limit)(const Job& job);
  double (*got)(const Job& job);
  ProblemCode code = ProblemCode::inconsistent;
  bool of_replicas = false;  ///< whether it can't be judged before their number is known
};

double message_bytes(const Job& job) {
  return tokens(job.work) * static_cast<double>(job.model.hidden_size) *
         static_cast<double>(job.work.bytes_per_element);
}

bool divides(std::int64_t divisor, std::int64_t number) {
  return number % divisor == 0;
}

std::int64_t spread_over(const Job& job) {
  return job.layout.tensor_parallel * job.layout.context_parallel;
}

std::int64_t replica_ranks(const Job& job) {
  return job.layout.data_parallel * job.layout.context_parallel;
}

std::int64_t a_round(const Job& job) {
  return job.work.batch_size * job.layout.data_parallel;
}

// The interleaved schedule goes in rounds of as many micro-batches as there are stages.
std::int64_t a_round_of_stages(const Job& job) {
  return a_round(job) * job.layout.pipeline_parallel;
}

std::int64_t sequences(const Job& job) {
  return sequences_per_step(job.work, job.layout);
}

// Micro-batches come from both ends, or pass through each stage twice.
bool fed_from_both_ends(const Job& job) {
  return job.work.mode == Mode::training && ends_meet(job.layout);
}
bool folded(const Layout& layout) {
  return ends_meet(layout) && held_copies(layout) == 1;
}
std::int64_t least_of_both_ends(const Job& job) {
  return 2 * a_round_of_stages(job);
}

std::int64_t layers_a_stage(const Job& job) {
  return job.model.num_layers / job.layout.pipeline_parallel;
}

std::int64_t shared_expert_width(const Job& job) {
  return job.model.num_shared_experts * job.model.ffn_hidden_size;
}

// The experts of a layer that a token chooses from.
std::int64_t experts_open(const Job& job) {
  return job.model.num_experts / job.model.expert_groups * job.model.routed_groups;
}

// Layers shared by the stages without a number of their own, and how many such stages there are.
std::int64_t other_layers(const Job& job) {
  return job.model.num_layers - job.layout.first_stage_layers - job.layout.last_stage_layers;
}
std::int64_t other_stages(const Job& job) {
  const Layout& layout = job.layout;
  return layout.pipeline_parallel - (layout.first_stage_layers > 0 ? 1 : 0) -
         (layout.last_stage_layers > 0 ? 1 : 0);
}
bool others_share_evenly(const Job& job) {
  const Layout& layout = job.layout;
  if (layout.pipeline_parallel == 1 || layout.first_stage_layers + layout.last_stage_layers == 0) return true;
  const std::int64_t layers = other_layers(job);
  const std::int64_t stages = other_stages(job);
  return stages == 0 ? layers == 0 : layers >= stages && divides(stages, layers);
}

template <auto Member>
std::int64_t shape(const Job& job) {
  return job.model.*Member;
}

template <auto Member>
std::int64_t layout(const Job& job) {
  return job.layout.*Member;
}

template <std::int64_t (*Whole)(const Job&)>
double number(const Job& job) {
  return static_cast<double>(Whole(job));
}

template <auto Member>
double of_shape(const Job& job) {
  return static_cast<double>(job.model.*Member);
}

template <auto Member>
double of_work(const Job& job) {
  return static_cast<double>(job.work.*Member);
}

template <auto Member>
double of_layout(const Job& job) {
  return static_cast<double>(job.layout.*Member);
}

std::int64_t none(const Job&) {
  return 0;
}

using S = const Job&;

constexpr auto tensor = of_layout<&Layout::tensor_parallel>;
constexpr auto pipeline = of_layout<&Layout::pipeline_parallel>;
constexpr auto chunks = of_layout<&Layout::virtual_stages>;
constexpr auto context = of_layout<&Layout::context_parallel>;
constexpr auto expert = of_layout<&Layout::expert_parallel>;
constexpr auto expert_tensor = of_layout<&Layout::expert_tensor_parallel>;

// Ranks that share an expert are the tensor ranks, unless the layout says otherwise.
bool are_tensor_ranks(const Layout& layout) {
  return expert_tensor_degree(layout) == layout.tensor_parallel;
}

constexpr Rule rules[] = {
    {"head_size", [](S s) { return s.model.head_size > 0; },
     "given where num_heads is greater than hidden_size", none, of_shape<&ModelShape::head_size>},
    {"num_kv_heads", [](S s) { return divides(s.model.num_kv_heads, s.model.num_heads); },
     "a divisor of num_heads (#)", shape<&ModelShape::num_heads>, of_shape<&ModelShape::num_kv_heads>},
    {"experts_per_token", [](S s) { return s.model.experts_per_token <= s.model.num_experts; },
     "at most num_experts (#)", shape<&ModelShape::num_experts>, of_shape<&ModelShape::experts_per_token>},
    {"expert_groups", [](S s) { return divides(s.model.expert_groups, s.model.num_experts); },
     "a divisor of num_experts (#)", shape<&ModelShape::num_experts>, of_shape<&ModelShape::expert_groups>},
    {"routed_groups", [](S s) { return s.model.routed_groups <= s.model.expert_groups; },
     "at most expert_groups (#)", shape<&ModelShape::expert_groups>, of_shape<&ModelShape::routed_groups>},
    {"experts_per_token",
     [](S s) {
       return s.model.routed_groups >= s.model.expert_groups || s.model.experts_per_token <= experts_open(s);
     },
     "at most the experts of routed_groups (#)", experts_open, of_shape<&ModelShape::experts_per_token>},
    {"num_dense_layers", [](S s) { return s.model.num_dense_layers <= s.model.num_layers; },
     "at most num_layers (#)", shape<&ModelShape::num_layers>, of_shape<&ModelShape::num_dense_layers>},
    {"message_size_bytes", [](S s) { return message_bytes(s) <= greatest_exact_whole; },
     "at most # (2^53 - 1)", [](S) { return static_cast<std::int64_t>(greatest_exact_whole); }, message_bytes,
     ProblemCode::overflow},
    {"tensor_parallel", [](S s) { return divides(s.layout.tensor_parallel, s.model.num_heads); },
     "a divisor of num_heads (#)", shape<&ModelShape::num_heads>, tensor},
    {"tensor_parallel",
     [](S s) {
       return s.model.num_kv_heads == s.model.num_heads ||
              divides(s.layout.tensor_parallel, s.model.num_kv_heads) ||
              divides(s.model.num_kv_heads, s.layout.tensor_parallel);
     },
     "a divisor or a multiple of num_kv_heads (#)", shape<&ModelShape::num_kv_heads>, tensor},
    {"tensor_parallel",
     [](S s) {
       return !are_tensor_ranks(s.layout) || divides(s.layout.tensor_parallel, s.model.ffn_hidden_size);
     },
     "a divisor of ffn_hidden_size (#)", shape<&ModelShape::ffn_hidden_size>, tensor},
    {"tensor_parallel",
     [](S s) {
       return are_tensor_ranks(s.layout) || divides(s.layout.tensor_parallel, shared_expert_width(s));
     },
     "a divisor of num_shared_experts * ffn_hidden_size (#)", shared_expert_width, tensor},
    {"tensor_parallel",
     [](S s) {
       return s.model.num_dense_layers == 0 ||
              divides(s.layout.tensor_parallel, s.model.dense_ffn_hidden_size);
     },
     "a divisor of dense_ffn_hidden_size (#)", shape<&ModelShape::dense_ffn_hidden_size>, tensor},
    {"tensor_parallel", [](S s) { return divides(s.layout.tensor_parallel, s.layout.cluster_gpus); },
     "a divisor of cluster_gpus (#)", layout<&Layout::cluster_gpus>, tensor},
    {"cluster_gpus", [](S s) { return s.layout.cluster_gpus == gpus_needed(s.layout); },
     "tensor_parallel * context_parallel * pipeline_parallel * data_parallel (#)",
     [](S s) { return gpus_needed(s.layout); }, of_layout<&Layout::cluster_gpus>},
    {"sequence_length",
     [](S s) {
       return s.work.mode == Mode::decode || divides(s.layout.context_parallel, s.work.sequence_length);
     },
     "a multiple of context_parallel (#)", layout<&Layout::context_parallel>,
     of_work<&Work::sequence_length>},
    {"sequence_length",
     [](S s) {
       return s.work.mode == Mode::decode || !s.layout.sequence_parallel ||
              divides(spread_over(s), s.work.sequence_length);
     },
     "a multiple of tensor_parallel * context_parallel (#)", spread_over, of_work<&Work::sequence_length>},
    {"batch_size",
     [](S s) {
       return s.work.mode != Mode::decode || !s.layout.sequence_parallel ||
              divides(s.layout.tensor_parallel, s.work.batch_size);
     },
     "a multiple of tensor_parallel (#) where sequence_parallel spreads one token a sequence",
     layout<&Layout::tensor_parallel>, of_work<&Work::batch_size>},
    {"global_batch_size", [](S s) { return divides(a_round(s), sequences(s)); },
     "a multiple of batch_size * data_parallel (#)", a_round, number<sequences>, ProblemCode::inconsistent,
     true},
    {"pipeline_parallel", [](S s) { return s.layout.pipeline_parallel <= s.model.num_layers; },
     "at most num_layers (#)", shape<&ModelShape::num_layers>, pipeline},
    {"num_layers", others_share_evenly,
     "first_stage_layers + last_stage_layers and a multiple of the # other stages", other_stages,
     of_shape<&ModelShape::num_layers>},
    {"virtual_stages",
     [](S s) {
       return s.layout.virtual_stages == 1 || s.layout.pipeline_schedule == PipelineSchedule::interleaved;
     },
     "1 unless pipeline_schedule is interleaved", none, chunks},
    {"virtual_stages",
     [](S s) { return s.layout.virtual_stages == 1 || s.layout.virtual_stages <= layers_a_stage(s); },
     "at most num_layers / pipeline_parallel (#)", layers_a_stage, chunks},
    {"global_batch_size",
     [](S s) {
       return s.layout.virtual_stages == 1 || s.work.mode != Mode::training ||
              divides(a_round_of_stages(s), sequences(s));
     },
     "a multiple of batch_size * data_parallel * pipeline_parallel (#) under the interleaved schedule",
     a_round_of_stages, number<sequences>, ProblemCode::inconsistent, true},
    {"pipeline_parallel",
     [](S s) { return held_copies(s.layout) == 1 || divides(2, s.layout.pipeline_parallel); },
     "1 or even under dualpipe", none, pipeline},
    {"pipeline_schedule", [](S s) { return !folded(s.layout) || layers_a_stage(s) >= 2; },
     "one without two chunks of layers a stage: num_layers / pipeline_parallel is #", layers_a_stage,
     number<layers_a_stage>},
    {"global_batch_size", [](S s) { return !fed_from_both_ends(s) || sequences(s) >= least_of_both_ends(s); },
     "at least batch_size * data_parallel * 2 * pipeline_parallel (#) under dualpipe and dualpipe_v",
     least_of_both_ends, number<sequences>, ProblemCode::inconsistent, true},
    {"global_batch_size",
     [](S s) { return !fed_from_both_ends(s) || folded(s.layout) || divides(2 * a_round(s), sequences(s)); },
     "a multiple of 2 * batch_size * data_parallel (#) under dualpipe", [](S s) { return 2 * a_round(s); },
     number<sequences>, ProblemCode::inconsistent, true},
    {"context_parallel", [](S s) { return s.work.mode != Mode::decode || s.layout.context_parallel == 1; },
     "1 in decode, which has one token a sequence", none, context},
    {"context_parallel",
     [](S s) {
       return s.layout.context_parallel == 1 || s.layout.context_scheme != ContextScheme::ulysses ||
              divides(spread_over(s), s.model.num_heads);
     },
     "such that tensor_parallel * context_parallel divides num_heads (#) under ulysses",
     shape<&ModelShape::num_heads>, context},
    {"expert_parallel", [](S s) { return s.layout.expert_parallel == 1 || has_experts(s.model); },
     "1 for a model without experts", none, expert},
    {"expert_parallel",
     [](S s) { return !has_experts(s.model) || divides(s.layout.expert_parallel, s.model.num_experts); },
     "a divisor of num_experts (#)", shape<&ModelShape::num_experts>, expert},
    {"expert_tensor_parallel", [](S s) { return are_tensor_ranks(s.layout) || has_experts(s.model); },
     "0 or tensor_parallel (#) for a model without experts", layout<&Layout::tensor_parallel>, expert_tensor},
    {"expert_tensor_parallel",
     [](S s) {
       return are_tensor_ranks(s.layout) || divides(expert_tensor_degree(s.layout), s.model.ffn_hidden_size);
     },
     "a divisor of ffn_hidden_size (#)", shape<&ModelShape::ffn_hidden_size>, expert_tensor},
    {"shard_group_size",
     [](S s) {
       return s.layout.shard_group_size == 0 || divides(s.layout.shard_group_size, replica_ranks(s));
     },
     "0 or a divisor of data_parallel * context_parallel (#)", replica_ranks,
     of_layout<&Layout::shard_group_size>, ProblemCode::inconsistent, true},
    {"expert_parallel",
     [](S s) { return !are_tensor_ranks(s.layout) || divides(s.layout.expert_parallel, replica_ranks(s)); },
     "a divisor of data_parallel * context_parallel (#) where TP shares each expert", replica_ranks, expert,
     ProblemCode::inconsistent, true},
    {"expert_parallel",
     [](S s) {
       return are_tensor_ranks(s.layout) || divides(ranks_of_experts(s.layout), stage_ranks(s.layout));
     },
     "such that expert_parallel * expert_tensor_parallel divides tensor_parallel * context_parallel * "
     "data_parallel (#)",
     [](S s) { return stage_ranks(s.layout); }, expert, ProblemCode::inconsistent, true},
};

template <auto Member>
std::int64_t& in_shape(Job& job) {
  return job.model.*Member;
}
template <auto Member>
std::int64_t& in_work(Job& job) {
  return job.work.*Member;
}
template <auto Member>
std::int64_t& in_layout(Job& job) {
  return job.layout.*Member;
}

// Fields that must divide something, or be a multiple of it: other values of these are tried.
constexpr struct {
  std::string_view name;
  std::int64_t& (*in)(Job& job);
} divided_fields[] = {
    {"num_kv_heads", in_shape<&ModelShape::num_kv_heads>},
    {"expert_groups", in_shape<&ModelShape::expert_groups>},
    {"num_layers", in_shape<&ModelShape::num_layers>},
    {"sequence_length", in_work<&Work::sequence_length>},
    {"batch_size", in_work<&Work::batch_size>},
    {"global_batch_size", in_work<&Work::global_batch_size>},
    {"tensor_parallel", in_layout<&Layout::tensor_parallel>},
    {"context_parallel", in_layout<&Layout::context_parallel>},
    {"expert_parallel", in_layout<&Layout::expert_parallel>},
    {"expert_tensor_parallel", in_layout<&Layout::expert_tensor_parallel>},
    {"shard_group_size", in_layout<&Layout::shard_group_size>},
};

// The replicas that fill a cluster, or stages with which some do.
std::string dividing(const Job& job) {
  const Layout& layout = job.layout;
  const std::int64_t a_stage = layout.tensor_parallel * layout.context_parallel;
  const std::int64_t gpus = layout.cluster_gpus;
  const std::int64_t a_replica = a_stage * layout.pipeline_parallel;
  if (gpus % a_replica == 0) return "; try data_parallel " + text_of(static_cast<double>(gpus / a_replica));
  const std::string stages = nearest_numbers(layout.pipeline_parallel, [&](std::int64_t degree) {
    return degree <= job.model.num_layers && divides(a_stage * degree, gpus);
  });
  return stages.empty() ? stages : "; try pipeline_parallel " + stages;
}

// The values of the rule's field nearest to the present one that keep every rule of that field. A cluster
// with exactly the GPUs that the degrees need changes with them.
std::string instead(const Rule& rule, const Job& job) {
  if (rule.field == "cluster_gpus") return dividing(job);
  if (rule.field == "virtual_stages" && job.layout.pipeline_schedule != PipelineSchedule::interleaved)
    return "; set pipeline_schedule to interleaved";
  for (const auto& field : divided_fields) {
    if (field.name != rule.field || rule.limit == none) continue;
    Job tried = job;
    const bool follows = job.layout.cluster_gpus == gpus_needed(job.layout);
    return nearest_allowed(static_cast<std::int64_t>(rule.got(job)), [&](std::int64_t value) {
      field.in(tried) = value;
      if (follows) tried.layout.cluster_gpus = gpus_needed(tried.layout);
      return std::all_of(std::begin(rules), std::end(rules),
                         [&](const Rule& other) { return other.field != rule.field || other.holds(tried); });
    });
  }
  return "";
}

Problem broken(const Rule& rule, const Job& job) {
  std::string allowed(rule.allowed);
  if (const std::size_t mark = allowed.find('#'); mark != std::string::npos) {
    allowed.replace(mark, 1, text_of(static_cast<double>(rule.limit(job))));
  }
  Problem problem = must_be(rule.field, rule.code, std::move(allowed), text_of(rule.got(job)));
  problem.message += instead(rule, job);
  return problem;
}

}  // namespace

bool can_exist(const Job& job) {
  for (const Rule& rule : rules) {
    if (!rule.holds(job)) return false;
  }
  return true;
}

Problems layout_problems(const Job& job) {
  Problems problems;
  const bool knows_replicas = job.layout.cluster_gpus == gpus_needed(job.layout);
  for (const Rule& rule : rules) {
    if (!rule.holds(job) && (knows_replicas || !rule.of_replicas)) problems.push_back(broken(rule, job));
  }
  return problems;
}

}  // namespace commcost
