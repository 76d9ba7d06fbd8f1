#include "core/parallel/layout_problems.h"

#include <string>

#include "core/base/units.h"
#include "core/base/value.h"

namespace commcost {
namespace {

using Text = std::string;

// One reason: the field to change, whether all is well, what would be, and what it is now.
struct Rule {
  std::string_view field;
  bool (*holds)(const Setting& setting);
  Text (*allowed)(const Setting& setting);
  double (*got)(const Setting& setting);
  ProblemCode code = ProblemCode::inconsistent;
};

Text of(std::int64_t number) {
  return text_of(static_cast<double>(number));
}

Text divisor_of(std::string_view name, std::int64_t number) {
  return "a divisor of " + Text(name) + " (" + of(number) + ")";
}

Text multiple_of(std::string_view name, std::int64_t number) {
  return "a multiple of " + Text(name) + " (" + of(number) + ")";
}

double message_bytes(const Setting& setting) {
  return tokens(setting.work) * static_cast<double>(setting.shape.hidden_size) *
         static_cast<double>(setting.work.bytes_per_element);
}

bool divides(std::int64_t divisor, std::int64_t number) {
  return number % divisor == 0;
}

std::int64_t spread_over(const Layout& layout) {
  return layout.tensor_parallel * layout.context_parallel;
}

std::int64_t replica_ranks(const Layout& layout) {
  return layout.data_parallel * layout.context_parallel;
}

std::int64_t a_round(const Setting& setting) {
  return setting.work.batch_size * setting.layout.data_parallel;
}

template <auto Member>
double shape_value(const Setting& setting) {
  return static_cast<double>(setting.shape.*Member);
}

template <auto Member>
double work_value(const Setting& setting) {
  return static_cast<double>(setting.work.*Member);
}

template <auto Member>
double layout_value(const Setting& setting) {
  return static_cast<double>(setting.layout.*Member);
}

using S = const Setting&;

constexpr Rule rules[] = {
    {"head_size", [](S s) { return s.shape.head_size > 0; },
     [](S) { return Text("given where num_heads is greater than hidden_size"); },
     shape_value<&ModelShape::head_size>},
    {"num_kv_heads", [](S s) { return divides(s.shape.num_kv_heads, s.shape.num_heads); },
     [](S s) { return divisor_of("num_heads", s.shape.num_heads); }, shape_value<&ModelShape::num_kv_heads>},
    {"experts_per_token", [](S s) { return s.shape.experts_per_token <= s.shape.num_experts; },
     [](S s) { return "at most num_experts (" + of(s.shape.num_experts) + ")"; },
     shape_value<&ModelShape::experts_per_token>},
    {"num_dense_layers", [](S s) { return s.shape.num_dense_layers <= s.shape.num_layers; },
     [](S s) { return "at most num_layers (" + of(s.shape.num_layers) + ")"; },
     shape_value<&ModelShape::num_dense_layers>},
    {"message_size_bytes", [](S s) { return message_bytes(s) <= greatest_exact_whole; },
     [](S) { return "at most " + text_of(greatest_exact_whole) + " (2^53 - 1)"; }, message_bytes,
     ProblemCode::overflow},
    {"tensor_parallel", [](S s) { return divides(s.layout.tensor_parallel, s.shape.num_heads); },
     [](S s) { return divisor_of("num_heads", s.shape.num_heads); }, layout_value<&Layout::tensor_parallel>},
    {"tensor_parallel",
     [](S s) {
       return s.shape.num_kv_heads == s.shape.num_heads ||
              divides(s.layout.tensor_parallel, s.shape.num_kv_heads) ||
              divides(s.shape.num_kv_heads, s.layout.tensor_parallel);
     },
     [](S s) { return "a divisor or a multiple of num_kv_heads (" + of(s.shape.num_kv_heads) + ")"; },
     layout_value<&Layout::tensor_parallel>},
    {"tensor_parallel", [](S s) { return divides(s.layout.tensor_parallel, s.shape.ffn_hidden_size); },
     [](S s) { return divisor_of("ffn_hidden_size", s.shape.ffn_hidden_size); },
     layout_value<&Layout::tensor_parallel>},
    {"tensor_parallel", [](S s) { return divides(s.layout.tensor_parallel, s.shape.dense_ffn_hidden_size); },
     [](S s) { return divisor_of("dense_ffn_hidden_size", s.shape.dense_ffn_hidden_size); },
     layout_value<&Layout::tensor_parallel>},
    {"tensor_parallel", [](S s) { return divides(s.layout.tensor_parallel, s.layout.num_gpus); },
     [](S s) { return divisor_of("num_gpus", s.layout.num_gpus); }, layout_value<&Layout::tensor_parallel>},
    {"num_gpus", [](S s) { return s.layout.num_gpus == gpus_needed(s.layout); },
     [](S s) {
       return "tensor_parallel * context_parallel * pipeline_parallel * data_parallel (" +
              of(gpus_needed(s.layout)) + ")";
     },
     layout_value<&Layout::num_gpus>},
    {"sequence_length",
     [](S s) {
       return s.work.mode == Mode::decode || divides(s.layout.context_parallel, s.work.sequence_length);
     },
     [](S s) { return multiple_of("context_parallel", s.layout.context_parallel); },
     work_value<&Work::sequence_length>},
    {"sequence_length",
     [](S s) {
       return s.work.mode == Mode::decode || !s.layout.sequence_parallel ||
              divides(spread_over(s.layout), s.work.sequence_length);
     },
     [](S s) { return multiple_of("tensor_parallel * context_parallel", spread_over(s.layout)); },
     work_value<&Work::sequence_length>},
    {"batch_size",
     [](S s) {
       return s.work.mode != Mode::decode || !s.layout.sequence_parallel ||
              divides(s.layout.tensor_parallel, s.work.batch_size);
     },
     [](S s) {
       return multiple_of("tensor_parallel", s.layout.tensor_parallel) +
              " where sequence_parallel spreads one token a sequence";
     },
     work_value<&Work::batch_size>},
    {"global_batch_size", [](S s) { return divides(a_round(s), sequences_per_step(s.work, s.layout)); },
     [](S s) { return multiple_of("batch_size * data_parallel", a_round(s)); },
     work_value<&Work::global_batch_size>},
    {"pipeline_parallel", [](S s) { return s.layout.pipeline_parallel <= s.shape.num_layers; },
     [](S s) { return "at most num_layers (" + of(s.shape.num_layers) + ")"; },
     layout_value<&Layout::pipeline_parallel>},
    {"virtual_stages",
     [](S s) {
       return s.layout.virtual_stages == 1 || s.layout.pipeline_schedule == PipelineSchedule::interleaved;
     },
     [](S) { return Text("1 unless pipeline_schedule is interleaved"); },
     layout_value<&Layout::virtual_stages>},
    {"virtual_stages",
     [](S s) {
       return s.layout.virtual_stages == 1 ||
              s.layout.virtual_stages * s.layout.pipeline_parallel <= s.shape.num_layers;
     },
     [](S s) {
       return "at most num_layers / pipeline_parallel (" + of(s.shape.num_layers) + " / " +
              of(s.layout.pipeline_parallel) + ")";
     },
     layout_value<&Layout::virtual_stages>},
    {"global_batch_size",
     [](S s) {
       return s.layout.virtual_stages == 1 || s.work.mode != Mode::training ||
              divides(a_round(s) * s.layout.pipeline_parallel, sequences_per_step(s.work, s.layout));
     },
     [](S s) {
       return multiple_of("batch_size * data_parallel * pipeline_parallel",
                          a_round(s) * s.layout.pipeline_parallel) +
              ", as the interleaved schedule goes in rounds of pipeline_parallel micro-batches";
     },
     [](S s) { return static_cast<double>(sequences_per_step(s.work, s.layout)); }},
    {"context_parallel", [](S s) { return s.work.mode != Mode::decode || s.layout.context_parallel == 1; },
     [](S) { return Text("1 in decode, which has one token a sequence"); },
     layout_value<&Layout::context_parallel>},
    {"context_parallel",
     [](S s) {
       return s.layout.context_parallel == 1 || s.layout.context_scheme != ContextScheme::ulysses ||
              divides(spread_over(s.layout), s.shape.num_heads);
     },
     [](S s) {
       return "such that tensor_parallel * context_parallel divides num_heads (" + of(s.shape.num_heads) +
              ") under ulysses";
     },
     layout_value<&Layout::context_parallel>},
    {"expert_parallel", [](S s) { return s.layout.expert_parallel == 1 || has_experts(s.shape); },
     [](S) { return Text("1 for a model without experts"); }, layout_value<&Layout::expert_parallel>},
    {"expert_parallel",
     [](S s) { return !has_experts(s.shape) || divides(s.layout.expert_parallel, s.shape.num_experts); },
     [](S s) { return divisor_of("num_experts", s.shape.num_experts); },
     layout_value<&Layout::expert_parallel>},
    {"expert_parallel", [](S s) { return divides(s.layout.expert_parallel, replica_ranks(s.layout)); },
     [](S s) { return divisor_of("data_parallel * context_parallel", replica_ranks(s.layout)); },
     layout_value<&Layout::expert_parallel>},
};

Problem broken(const Rule& rule, const Setting& setting) {
  const Text allowed = rule.allowed(setting);
  const Text field(rule.field);
  return {field, rule.code, field + " must be " + allowed + "; got " + text_of(rule.got(setting)), allowed};
}

}  // namespace

bool can_exist(const Setting& setting) {
  for (const Rule& rule : rules) {
    if (!rule.holds(setting)) return false;
  }
  return true;
}

Problems problems_of(const Setting& setting) {
  Problems problems;
  for (const Rule& rule : rules) {
    if (!rule.holds(setting)) problems.push_back(broken(rule, setting));
  }
  return problems;
}

}  // namespace commcost
