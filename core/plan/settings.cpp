#include "core/plan/settings.h"

#include <algorithm>
#include <array>

#include "core/base/field.h"
#include "core/base/name_list.h"
#include "core/base/value.h"
#include "core/parallel/job_problems.h"
#include "core/parallel/rank_groups.h"
#include "core/parallel/recipes.h"
#include "core/parallel/stacks.h"
#include "core/parallel/stage_share.h"

namespace commcost {
namespace {

using J = const Job&;
using Values = std::vector<std::int64_t>;

template <auto Part, auto Member>
constexpr Setting setting(Values (*others)(J job), bool (*matters)(J job)) {
  return {detail::member_name<Member>, [](J job) { return static_cast<std::int64_t>(job.*Part.*Member); },
          [](Job& job, std::int64_t value) {
            auto& member = job.*Part.*Member;
            member = static_cast<std::remove_reference_t<decltype(member)>>(value);
          },
          others, matters};
}

constexpr Setting differing(Setting setting, bool (*differs)(J job)) {
  setting.differs = differs;
  return setting;
}

template <auto Part, auto Member>
constexpr Setting flag_setting(bool (*matters)(J job)) {
  return setting<Part, Member>([](J job) { return Values{job.*Part.*Member ? 0 : 1}; }, matters);
}

template <auto Part, auto Member, const auto& names>
constexpr Setting choice_setting(bool (*matters)(J job)) {
  return setting<Part, Member>(
      [](J job) {
        Values others;
        for (std::size_t at = 0; at < std::size(names); ++at)
          if (at != static_cast<std::size_t>(job.*Part.*Member))
            others.push_back(static_cast<std::int64_t>(at));
        return others;
      },
      matters);
}

bool always(J) {
  return true;
}
bool splits_matrices(J job) {
  return job.layout.tensor_parallel > 1;
}
bool shares_tokens(J job) {
  return splits_matrices(job) && job.layout.sequence_parallel;
}
bool splits_sequences(J job) {
  return job.layout.context_parallel > 1;
}
bool spreads_experts(J job) {
  return job.layout.expert_parallel > 1;
}
bool reduces_gradients(J job) {
  return data_ranks(job.layout).size > 1 || expert_data_ranks(job.layout).size > 1;
}
bool gathers_weights(J job) {
  return job.layout.overlap_data && reduces_gradients(job);
}
bool selects(J job) {
  return job.work.recompute == Recompute::selective;
}
bool selects_latents(J job) {
  return selects(job) && job.model.kv_rank > 0;
}
double layers_of_a_stage(J job) {
  return stage_layers(job).most();
}
bool repeats_layers(J job) {
  return job.work.recompute == Recompute::full;
}
// A number no less than any stage's layers means all of them.
bool repeats_fewer_layers(J job) {
  return static_cast<double>(job.work.recomputed_layers) < layers_of_a_stage(job);
}
bool leaves_layers(J job) {
  return job.work.offloaded_layers == job.model.num_layers - 1 ||
         static_cast<double>(job.work.offloaded_layers) < layers_of_a_stage(job);
}

constexpr std::int64_t half_bytes = 2;
constexpr std::int64_t full_bytes = 4;

// 16 bits, and narrower formats; what is kept in 16 bits is multiplied so.
Values other_precisions(J job) {
  using enum MatmulPrecision;
  Values others;
  for (const MatmulPrecision one : {bf16, fp8, mxfp8, nvfp4}) {
    const bool same =
        one == bf16 && (job.work.matmul_precision == fp16 ||
                        (job.work.matmul_precision == stored && job.work.bytes_per_element == half_bytes));
    if (one != job.work.matmul_precision && !same) others.push_back(static_cast<std::int64_t>(one));
  }
  return others;
}

Values other_gradients(J job) {
  const std::int64_t own = completed(job).work.gradient_bytes_per_element;
  Values others;
  for (const std::int64_t bytes : {half_bytes, full_bytes})
    if (bytes != own) others.push_back(bytes);
  return others;
}

// Doubling numbers of layers, up to all but one.
Values doubling_layers(J job, std::int64_t own) {
  Values others;
  for (std::int64_t layers = 1; layers < job.model.num_layers; layers *= 2)
    if (layers != own) others.push_back(layers);
  return others;
}
Values other_recomputed_layers(J job) {
  Values others = doubling_layers(job, job.work.recomputed_layers);
  if (job.work.recomputed_layers != 0) others.push_back(0);
  return others;
}
Values other_offloaded_layers(J job) {
  const std::int64_t own = job.work.offloaded_layers;
  Values others = doubling_layers(job, own);
  const std::int64_t most = job.model.num_layers - 1;
  if (most > 0 && own != most && (others.empty() || others.back() != most)) others.push_back(most);
  if (own != 0) others.push_back(0);
  return others;
}
Values other_optimizer_shares(J job) {
  Values others;
  for (const std::int64_t percent : {0, 50, 100})
    if (static_cast<double>(percent) != job.work.offloaded_optimizer_percent) others.push_back(percent);
  return others;
}

// Whether a search decides the setting at that place among all.
bool decides(const PlanInputs& inputs, std::size_t setting) {
  return (inputs.searched_settings >> setting & 1) != 0;
}

using W = Work;
using L = Layout;

constexpr Setting settings[] = {
    setting<&Job::work, &W::matmul_precision>(other_precisions, always),
    setting<&Job::work, &W::gradient_bytes_per_element>(other_gradients, always),
    choice_setting<&Job::layout, &L::expert_exchange, exchange_kernel_names>(spreads_experts),
    choice_setting<&Job::layout, &L::context_scheme, context_scheme_names>(splits_sequences),
    flag_setting<&Job::layout, &L::overlap_tensor>(splits_matrices),
    flag_setting<&Job::layout, &L::overlap_tensor_forward>(shares_tokens),
    flag_setting<&Job::layout, &L::overlap_data>(reduces_gradients),
    flag_setting<&Job::layout, &L::overlap_param_gather>(gathers_weights),
    flag_setting<&Job::layout, &L::overlap_expert>(spreads_experts),
    flag_setting<&Job::work, &W::recompute_attention_core>(selects),
    flag_setting<&Job::work, &W::recompute_elementwise>(selects),
    flag_setting<&Job::work, &W::recompute_latent_projections>(selects_latents),
    differing(setting<&Job::work, &W::recomputed_layers>(other_recomputed_layers, repeats_layers),
              repeats_fewer_layers),
    differing(setting<&Job::work, &W::offloaded_layers>(other_offloaded_layers, always), leaves_layers),
    setting<&Job::work, &W::offloaded_optimizer_percent>(other_optimizer_shares, always),
    flag_setting<&Job::stack, &Stack::cuda_graphs>(always),
};

static_assert(std::equal(std::begin(settings), std::end(settings), std::begin(setting_names),
                         std::end(setting_names),
                         [](const Setting& one, std::string_view name) { return one.name == name; }));

consteval std::size_t place_of(std::string_view name) {
  return static_cast<std::size_t>(std::find(std::begin(setting_names), std::end(setting_names), name) -
                                  std::begin(setting_names));
}

// With everything that a search may choose besides the degrees, and the kinds of recomputation that have
// settings.
std::array<Job, 2> with_all_choices(Job job) {
  job.layout.sequence_parallel = job.layout.tensor_parallel > 1;
  std::array<Job, 2> all{job, job};
  all[0].work.recompute = Recompute::selective;
  all[1].work.recompute = Recompute::full;
  return all;
}

// With every dimension that the pins leave and the model has.
std::array<Job, 2> in_all_dimensions(const PlanInputs& inputs) {
  Job job = completed(inputs.job);
  Layout& all = job.layout;
  for (std::int64_t L::*degree : {&L::tensor_parallel, &L::context_parallel, &L::data_parallel})
    all.*degree = 2;
  all.expert_parallel = has_experts(job.model) ? 2 : 1;
  all.overlap_data = all.overlap_data || decides(inputs, place_of("overlap_data"));
  std::array<Job, 2> jobs = with_all_choices(job);
  for (Job& one : jobs) one = with_pins(inputs.allowed, one);
  return jobs;
}

// Why a setting's only value is the one given.
std::string reason_for(const PlanInputs& inputs, bool has_other) {
  const Job& job = inputs.job;
  if (has_other) return std::string(accelerator_of(job.machine).name) + " has no other";
  return std::string(all_recipes()[static_cast<std::size_t>(job.stack.recipe)].name) + " has no other";
}

SearchedSetting searched_setting(const PlanInputs& inputs, std::size_t place) {
  const Setting& setting = settings[place];
  SearchedSetting searched{place, {setting.of(inputs.job)}, {}, {}};
  const std::array<Job, 2> all = in_all_dimensions(inputs);
  if (std::none_of(all.begin(), all.end(), setting.matters)) {
    searched.reason = "changes no layout of this model within the pins";
    return searched;
  }
  bool has_other = false;
  for (const std::int64_t value : setting.others(inputs.job)) {
    Job other = inputs.job;
    setting.put(other, value);
    const bool has = can_switch(other, setting.name);
    has_other = has_other || has;
    if (has_hardware(other)) (has ? searched.values : searched.lacked).push_back(value);
  }
  if (searched.values.size() == 1) searched.reason = reason_for(inputs, has_other);
  return searched;
}

}  // namespace

std::span<const Setting> all_settings() {
  return settings;
}

std::vector<Combination> all_combinations(const PlanInputs& inputs) {
  std::vector<Combination> found{{inputs.job, {}}};
  for (const SearchedSetting& searched : searched_settings(inputs)) {
    const std::size_t before = found.size();
    for (std::size_t value = 1; value < searched.values.size(); ++value) {
      for (std::size_t one = 0; one < before; ++one) {
        Combination changed = found[one];
        settings[searched.place].put(changed.job, searched.values[value]);
        changed.changed.push_back(searched.place);
        found.push_back(std::move(changed));
      }
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const Combination& one, const Combination& other) {
    return one.changed.size() < other.changed.size();
  });
  return found;
}

bool all_matter(const Combination& combination, const Job& job) {
  return std::all_of(combination.changed.begin(), combination.changed.end(), [&job](std::size_t at) {
    const Setting& setting = settings[at];
    return setting.matters(job) && (setting.differs == nullptr || setting.differs(job));
  });
}

bool all_may_matter(const Combination& combination, const Job& job) {
  if (combination.changed.empty()) return true;
  const std::array<Job, 2> all = with_all_choices(job);
  return std::any_of(all.begin(), all.end(),
                     [&combination](const Job& one) { return all_matter(combination, one); });
}

std::vector<SearchedSetting> searched_settings(const PlanInputs& inputs) {
  std::vector<SearchedSetting> found;
  for (std::size_t at = 0; at < std::size(settings); ++at)
    if (decides(inputs, at)) found.push_back(searched_setting(inputs, at));
  return found;
}

Problems combination_problems(const PlanInputs& inputs) {
  std::vector<SearchedSetting> searched = searched_settings(inputs);
  std::size_t count = 1;
  for (const SearchedSetting& one : searched) count *= one.values.size();
  if (count <= most_combinations) return {};
  std::stable_sort(searched.begin(), searched.end(),
                   [](const SearchedSetting& one, const SearchedSetting& other) {
                     return one.values.size() > other.values.size();
                   });
  std::vector<std::string_view> names;
  std::size_t left = count;
  for (auto one = searched.begin(); left > most_combinations; ++one) {
    left /= one->values.size();
    names.push_back(setting_names[one->place]);
  }
  const std::string most = text_of(static_cast<double>(most_combinations));
  return {{"searched_settings", ProblemCode::out_of_range,
           "searched_settings must leave at most " + most + " combinations of values to try; these have " +
               text_of(static_cast<double>(count)) + ": leave out " + in_words(names, " and "),
           "settings of at most " + most + " combinations"}};
}

}  // namespace commcost
