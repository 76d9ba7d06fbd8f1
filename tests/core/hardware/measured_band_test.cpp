#include "core/hardware/measured_band.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <tuple>

#include "core/model/catalog.h"
#include "core/parallel/recipes.h"
#include "core/serving/serving_band.h"
#include "core/training/step_band.h"
#include "support/csv.h"
#include "support/files.h"

namespace commcost {
namespace {

using test::CsvRow;
using test::read_csv;

// Runs of a class as the scoreboard lists them: `validation steps --csv` and `validation serving --csv` write
// it from tests/data.
struct Listed {
  int runs = 0;
  double most_gpus = 0;
};
using Class = std::tuple<std::string, std::string, std::string>;

std::map<Class, Listed> listed(const std::string& table) {
  const bool steps = table == "steps";
  std::map<Class, Listed> found;
  for (const CsvRow& row : read_csv(test::data_file("../../web/scoreboard/" + table + ".csv"))) {
    if (steps && row.number("doubtful") != 0) continue;
    Listed& one = found[{row.at("recipe"), row.at("accelerator"), steps ? row.at("kind") : "dense"}];
    ++one.runs;
    if (steps) one.most_gpus = std::max(one.most_gpus, row.number("num_gpus"));
  }
  return found;
}

void expect_as_listed(std::span<const MeasuredClass> classes, const std::string& table) {
  std::map<Class, Listed> left = listed(table);
  for (const MeasuredClass& one : classes) {
    const Class key{one.recipe, one.accelerator, run_kind_names[static_cast<std::size_t>(one.kind)]};
    const std::string name = std::get<0>(key) + " " + std::get<1>(key) + " " + std::get<2>(key);
    const Listed& found = left[key];
    EXPECT_EQ(one.errors.runs, found.runs) << name;
    EXPECT_GE(one.errors.series, 1) << name;
    EXPECT_LE(one.errors.series, one.errors.runs) << name;
    EXPECT_LE(one.errors.tenth, one.errors.middle) << name;
    EXPECT_LE(one.errors.middle, one.errors.nine_tenths) << name;
    if (table == "steps") {
      EXPECT_EQ(one.most[0], found.most_gpus) << name;
    }
    ASSERT_NE(find_accelerator(one.accelerator), nullptr) << name;
    EXPECT_EQ(find_accelerator(one.accelerator)->generation, one.generation) << name;
    left.erase(key);
  }
  EXPECT_TRUE(left.empty()) << left.size() << " classes that no band has";
}

TEST(MeasuredBand, ClassesAreThoseOfTheMeasuredTables) {
  expect_as_listed(measured_step_classes(), "steps");
  expect_as_listed(measured_serving_classes(), "serving");
}

StepBand band_on(const Accelerator& accelerator, std::string_view recipe, RunKind kind = RunKind::dense,
                 double gpus = 8) {
  const double experts = kind == RunKind::experts ? 8 : 1;
  return nearest_band(measured_step_classes(),
                      {recipe, accelerator, kind, {gpus, 2048, experts, 1, 1, 1, 1}});
}

double width(const StepBand& band) {
  return std::log(band.high / band.low);
}

double series_on(std::string_view accelerator, std::string_view recipe, RunKind kind) {
  double series = 0;
  for (const MeasuredClass& one : measured_step_classes())
    if (one.recipe == recipe && one.accelerator == accelerator && one.kind == kind)
      series += one.errors.series;
  return series;
}

// Measured is only what three series and more of this accelerator and this stack say, whatever the recipe.
TEST(MeasuredBand, IsMeasuredWhereTheAcceleratorRanInThreeSeries) {
  for (const Accelerator& accelerator : all_accelerators()) {
    for (const Recipe& recipe : all_recipes()) {
      for (const RunKind kind : {RunKind::dense, RunKind::experts, RunKind::staged}) {
        const StepBand band = band_on(accelerator, recipe.id, kind);
        EXPECT_EQ(band.basis == Basis::measured,
                  series_on(accelerator.id, recipe.id, kind) >= enough_series && band.beyond == 0)
            << accelerator.id << ' ' << recipe.id;
      }
    }
  }
  EXPECT_EQ(band_on(*find_accelerator("h100-sxm"), "megatron-core").basis, Basis::measured);
  for (const std::string_view id : {"h20", "h100-pcie", "h100-nvl", "gh200", "h800-sxm", "a100-sxm-80gb"})
    EXPECT_EQ(band_on(*find_accelerator(id), "megatron-core").basis, Basis::similar) << id;
  // The one series on a later generation of the vendor tells nothing of an earlier.
  for (const std::string_view id : {"gaudi3", "mi300x"})
    EXPECT_EQ(band_on(*find_accelerator(id), "megatron-core").basis, Basis::estimated) << id;
}

// One series of six runs, a third too fast: it moves the band, and does not narrow it.
TEST(MeasuredBand, IsShiftedByWhatLittleThereIs) {
  const StepBand a100 = band_on(*find_accelerator("a100-sxm-80gb"), "megatron-core");
  const StepBand h100 = band_on(*find_accelerator("h100-sxm"), "megatron-core");
  EXPECT_GT(std::log(a100.high * a100.low), std::log(h100.high * h100.low));
  EXPECT_GT(width(a100), width(h100));
}

TEST(MeasuredBand, IsWiderBeyondWhateverRan) {
  const Accelerator& h100 = *find_accelerator("h100-sxm");
  const StepBand near = band_on(h100, "megatron-core", RunKind::dense, 1024);
  EXPECT_EQ(beyond_names(near), "");
  double before = width(near);
  for (const double gpus : {4096.0, 16384.0, 65536.0}) {
    const StepBand far = band_on(h100, "megatron-core", RunKind::dense, gpus);
    EXPECT_EQ(beyond_names(far), "cluster_gpus");
    EXPECT_EQ(far.basis, Basis::similar);
    EXPECT_GT(width(far), before);
    before = width(far);
  }
  // An untried step gets at most a factor of ten, unless runs themselves were further off.
  const StepBand nowhere = band_on(h100, "megatron-core", RunKind::dense, 1e200);
  EXPECT_NEAR(width(nowhere), 2 * std::log(10.0), 1e-9);
  const StepBand staged = band_on(h100, "nanotron", RunKind::staged, 1e200);
  EXPECT_GE(staged.high, band_on(h100, "nanotron", RunKind::staged).high);
  const StepBand sharded = nearest_band(
      measured_step_classes(), {"megatron-core", h100, RunKind::experts, {1024, 4096, 256, 1, 1, 1, 1, 3}});
  EXPECT_EQ(beyond_names(sharded), "zero_stage");
  EXPECT_EQ(sharded.basis, Basis::similar);
  const StepBand mixture =
      nearest_band(measured_step_classes(), {"fsdp", h100, RunKind::experts, {2048, 4096, 256, 1, 1, 1, 1}});
  EXPECT_NE(beyond_names(mixture).find("cluster_gpus"), std::string::npos);
  EXPECT_NE(beyond_names(mixture).find("num_experts"), std::string::npos);
}

Accelerator row(std::string_view id, Generation generation) {
  Accelerator added{};
  added.id = id;
  added.generation = generation;
  return added;
}

// Whatever row is added, under whatever id: of a generation that was measured it is similar and wider; of a
// vendor that never ran the stack, not even that.
TEST(MeasuredBand, AnAddedAcceleratorIsNotMeasured) {
  for (std::size_t at = 1; at <= std::size(generation_rows); ++at) {
    for (const std::string_view id : {"hccs-910b", "h100-sxm-2", "b400", "tpu-v9", "mi1000", ""}) {
      const Accelerator added = row(id, static_cast<Generation>(at));
      for (const Recipe& recipe : all_recipes()) {
        for (const RunKind kind : {RunKind::dense, RunKind::experts, RunKind::staged})
          EXPECT_NE(band_on(added, recipe.id, kind).basis, Basis::measured) << id << ' ' << recipe.id;
        EXPECT_NE(nearest_band(measured_serving_classes(), {recipe.id, added}).basis, Basis::measured);
      }
    }
  }
  const StepBand known = band_on(*find_accelerator("h100-sxm"), "megatron-core");
  const StepBand added = band_on(row("h9", Generation::hopper), "megatron-core");
  EXPECT_EQ(added.basis, Basis::similar);
  EXPECT_EQ(added.classes, known.classes);
  EXPECT_NEAR(width(added), 1.5 * width(known), 1e-12);
  EXPECT_EQ(band_on(row("h9", Generation::gaudi), "megatron-core").basis, Basis::estimated);
}

Job job_of(std::string_view recipe, std::string_view accelerator) {
  Job job;
  job.model = find_model("llama-3.1-8b")->shape;
  fill(job, *find_recipe(recipe));
  job.machine.accelerator = place_of_accelerator(accelerator);
  job.work.sequence_length = 4096;
  job.work.batch_size = 1;
  return completed(job);
}

// `validation steps --other`: of each stack, priced as `other` by what the others tell, 79 % of the series
// lie within; a band of the runs that those stacks were fitted on holds few of them.
TEST(MeasuredBand, AStackWithoutRunsIsAsUnsureAsStacksWereBeforeTheirRuns) {
  const StepBand known = step_band(job_of("megatron-core", "h100-sxm"));
  for (const auto& [recipe, accelerator] : {std::pair{"other", "h100-sxm"}, std::pair{"megatron-lm", "b200"},
                                            std::pair{"hai-llm", "h800-sxm"}, std::pair{"fsdp", "gaudi3"}}) {
    const StepBand band = step_band(job_of(recipe, accelerator));
    EXPECT_EQ(band.basis, Basis::estimated) << recipe;
    EXPECT_GT(width(band), 2 * width(known)) << recipe;
    EXPECT_EQ(beyond_names(band), "") << recipe;
  }
  // The scoreboard has the same runs so priced: by stacks, eight to nine in ten lie in the band.
  const StepBand band = step_band(job_of("other", "h100-sxm"));
  std::map<std::string, std::map<std::string, std::pair<double, double>>> stacks;
  for (const CsvRow& row : read_csv(test::data_file("../../web/scoreboard/steps.csv"))) {
    if (row.number("doubtful") != 0) continue;
    const double ratio = 1 / (1 + row.number("as_other_percent") / 100);
    auto& [runs, within] =
        stacks[row.at("recipe")][row.at("source") + row.at("model") + row.at("precision") +
                                 row.at("accelerator") + row.at("num_layers") + row.at("hidden_size")];
    ++runs;
    within += ratio >= band.low && ratio <= band.high ? 1 : 0;
  }
  double share = 0;
  for (const auto& [recipe, series] : stacks) {
    double of_stack = 0;
    for (const auto& [key, one] : series) of_stack += one.second / one.first;
    share += of_stack / static_cast<double>(series.size() * stacks.size());
  }
  EXPECT_EQ(stacks.size(), 7u);
  EXPECT_GT(share, 0.78);
  EXPECT_LT(share, 0.90);
}

// The classes that a band names are those whose runs it counts.
TEST(MeasuredBand, NamesTheClassesThatItIsMadeOf) {
  const auto check = [](std::span<const MeasuredClass> classes, const JudgedStep& step) {
    const StepBand band = nearest_band(classes, step);
    double runs = 0;
    double series = 0;
    for (std::size_t place = 0; place < classes.size(); ++place) {
      if ((band.classes >> place & 1) == 0) continue;
      runs += classes[place].errors.runs;
      series += classes[place].errors.series;
    }
    EXPECT_EQ(runs, band.measured_runs);
    EXPECT_EQ(series, band.measured_series);
    EXPECT_GT(runs, 0);
    EXPECT_LE(band.low, 1);
    EXPECT_GE(band.high, 1);
  };
  for (const Accelerator& accelerator : all_accelerators()) {
    for (const Recipe& recipe : all_recipes()) {
      for (const double gpus : {8.0, 512.0, 65536.0}) {
        for (const RunKind kind : {RunKind::dense, RunKind::experts})
          check(measured_step_classes(), {recipe.id, accelerator, kind, {gpus, 2048, 1, 1, 1, 1, 1}});
        check(measured_serving_classes(), {recipe.id, accelerator, RunKind::dense, {1, 1, 1, 1, 1, 1, gpus}});
      }
    }
  }
}

}  // namespace
}  // namespace commcost
