#include "core/base/field.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <ostream>

namespace commcost {
namespace field_test {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

enum class Road { ring, tree };
constexpr std::string_view road_names[] = {"ring", "tree"};

struct Journey {
  std::int64_t ranks = 0;
  double latency_us = 0;
};

struct Baggage {
  Road road = Road::ring;
  bool heavy = false;
  std::string label;
  Value::Numbers sizes;
  Value parts;
  Value box;
};

struct Inputs : Journey, Baggage {};

constexpr InputField journey_fields[] = {
    whole<&Journey::ranks>(1, 8, "How many").in("GPUs"),
    real<&Journey::latency_us>(-0.5, 1e6, "Per step").formerly("delay_us").or_default(2.5),
};
constexpr InputField baggage_fields[] = {
    choice<&Baggage::road>(road_names, "Which way").or_default(1),
    flag<&Baggage::heavy>("Whether it is").or_default(1),
    text<&Baggage::label>(5, "As printed").or_default(0),
    numbers<&Baggage::sizes>(1, 3, "Of each").in("mm").or_default(0),
    list<&Baggage::parts>(1, 2, "What is in it").or_default(0),
    object<&Baggage::box>("What it is in").or_default(0),
};
constexpr FieldGroup groups[] = {group<Inputs, Journey>(journey_fields),
                                 group<Inputs, Baggage>(baggage_fields)};

struct Share {
  double share = 0;
};
constexpr InputField share_fields[] = {real<&Share::share>(0, 2, "Of all")};

template <class>
struct Renamed {
  double host_us_per_kernel = 0;
};
constexpr InputField renamed =
    real<&Renamed<Journey>::host_us_per_kernel>(0, 1, "Per one").named("start").in("s");

const InputField& field_named(std::string_view name) {
  for (const FieldGroup& group : groups) {
    for (const InputField& input : group.fields) {
      if (input.field.name == name) return input;
    }
  }
  ADD_FAILURE() << "no field " << name;
  return journey_fields[0];
}

struct Refused {
  const char* name;
  std::string_view field;
  Value value;
  ProblemCode code;
};

void PrintTo(const Refused& refused, std::ostream* out) {
  *out << refused.name;
}

const Value a_list = Value::List{1, "two"};
const Value an_object = Value::Object{{"a", 1}};
const Value a_function = Foreign{"a function"};

const Refused refused_values[] = {
    {"whole_nothing", "ranks", {}, ProblemCode::missing},
    {"whole_text", "ranks", "8", ProblemCode::wrong_type},
    {"whole_flag", "ranks", true, ProblemCode::wrong_type},
    {"whole_list", "ranks", Value::Numbers{8}, ProblemCode::wrong_type},
    {"whole_object", "ranks", an_object, ProblemCode::wrong_type},
    {"whole_foreign", "ranks", a_function, ProblemCode::wrong_type},
    {"whole_nan", "ranks", nan, ProblemCode::not_finite},
    {"whole_infinite", "ranks", infinity, ProblemCode::not_finite},
    {"whole_fraction", "ranks", 1.5, ProblemCode::not_whole},
    {"whole_fraction_out_of_range", "ranks", -1e-300, ProblemCode::not_whole},
    {"whole_zero", "ranks", 0, ProblemCode::out_of_range},
    {"whole_negative", "ranks", -1, ProblemCode::out_of_range},
    {"whole_too_large", "ranks", 9, ProblemCode::out_of_range},
    {"whole_beyond_any_integer", "ranks", 1e300, ProblemCode::out_of_range},
    {"real_nothing", "latency_us", {}, ProblemCode::missing},
    {"real_text", "latency_us", "2.5", ProblemCode::wrong_type},
    {"real_flag", "latency_us", false, ProblemCode::wrong_type},
    {"real_nan", "latency_us", nan, ProblemCode::not_finite},
    {"real_infinite", "latency_us", -infinity, ProblemCode::not_finite},
    {"real_too_small", "latency_us", -0.5000001, ProblemCode::out_of_range},
    {"real_too_large", "latency_us", 1000000.1, ProblemCode::out_of_range},
    {"choice_nothing", "road", {}, ProblemCode::missing},
    {"choice_number", "road", 0, ProblemCode::wrong_type},
    {"choice_unknown", "road", "sea", ProblemCode::not_a_choice},
    {"choice_other_case", "road", "Ring", ProblemCode::not_a_choice},
    {"choice_part_of_a_name", "road", "rin", ProblemCode::not_a_choice},
    {"choice_empty", "road", "", ProblemCode::not_a_choice},
    {"flag_nothing", "heavy", {}, ProblemCode::missing},
    {"flag_number", "heavy", 1, ProblemCode::wrong_type},
    {"flag_text", "heavy", "true", ProblemCode::wrong_type},
    {"text_nothing", "label", {}, ProblemCode::missing},
    {"text_number", "label", 5, ProblemCode::wrong_type},
    {"text_too_long", "label", "sixsix", ProblemCode::out_of_range},
    {"numbers_nothing", "sizes", {}, ProblemCode::missing},
    {"numbers_number", "sizes", 5, ProblemCode::wrong_type},
    {"numbers_mixed", "sizes", a_list, ProblemCode::wrong_type},
    {"numbers_nan", "sizes", Value::Numbers{1, nan}, ProblemCode::not_finite},
    {"numbers_none", "sizes", Value::Numbers{}, ProblemCode::out_of_range},
    {"numbers_empty_list", "sizes", Value::List{}, ProblemCode::out_of_range},
    {"numbers_too_many", "sizes", Value::Numbers{1, 2, 3, 4}, ProblemCode::out_of_range},
    {"list_nothing", "parts", {}, ProblemCode::missing},
    {"list_object", "parts", an_object, ProblemCode::wrong_type},
    {"list_none", "parts", Value::List{}, ProblemCode::out_of_range},
    {"list_too_many", "parts", Value::List{1, "two", 3}, ProblemCode::out_of_range},
    {"object_nothing", "box", {}, ProblemCode::missing},
    {"object_list", "box", a_list, ProblemCode::wrong_type},
    {"object_text", "box", "{}", ProblemCode::wrong_type},
    {"object_foreign", "box", a_function, ProblemCode::wrong_type},
};

class RefusedValue : public testing::TestWithParam<Refused> {};

TEST_P(RefusedValue, NamesFieldCodeAndWhatIsAllowed) {
  const Refused& refused = GetParam();
  const Field& field = field_named(refused.field).field;
  const Outcome<FieldValue> checked = check(field, refused.value);
  ASSERT_FALSE(checked);
  ASSERT_EQ(checked.problems().size(), 1u);
  const Problem& problem = checked.problems().front();
  EXPECT_EQ(problem.field, refused.field);
  EXPECT_EQ(name_of(problem.code), name_of(refused.code));
  EXPECT_EQ(problem.allowed, allowed_in(field));
  EXPECT_EQ(problem.message.find(refused.field), 0u) << problem.message;
  EXPECT_NE(problem.message.find(problem.allowed), std::string::npos) << problem.message;
}

INSTANTIATE_TEST_SUITE_P(Field, RefusedValue, testing::ValuesIn(refused_values),
                         [](const auto& test) { return test.param.name; });

TEST(Field, SaysWhatIsWrongInAWholeSentence) {
  const auto message = [](std::string_view name, const Value& value) {
    return check(field_named(name).field, value).problems().front().message;
  };
  EXPECT_EQ(message("ranks", 1.5), "ranks must be a whole number from 1 to 8; got 1.5");
  EXPECT_EQ(message("ranks", "8"), "ranks must be a whole number from 1 to 8; got \"8\"");
  EXPECT_EQ(message("ranks", {}), "ranks is missing; it must be a whole number from 1 to 8");
  EXPECT_EQ(message("ranks", a_function), "ranks must be a whole number from 1 to 8; got a function");
  EXPECT_EQ(message("latency_us", nan), "latency_us must be a number from -0.5 to 1000000; got NaN");
  EXPECT_EQ(message("road", "sea"), "road must be one of ring, tree; got \"sea\"");
  EXPECT_EQ(message("heavy", 1), "heavy must be true or false; got 1");
  EXPECT_EQ(message("label", "sixsix"), "label must be text of 0 to 5 bytes; got \"sixsix\" of length 6");
  EXPECT_EQ(message("sizes", Value::Numbers{}),
            "sizes must be a list of 1 to 3 finite numbers; got a list of length 0");
  EXPECT_EQ(message("sizes", Value::Numbers{1, nan}),
            "sizes must be a list of 1 to 3 finite numbers; got NaN");
  EXPECT_EQ(message("parts", "x"), "parts must be a list of 1 to 2 objects; got \"x\"");
  EXPECT_EQ(message("box", a_list), "box must be an object; got a list");
}

TEST(Field, TakesItsLeastAndItsGreatest) {
  for (const char* name : {"ranks", "latency_us"}) {
    const Field& field = field_named(name).field;
    for (const double limit : {field.least, field.greatest}) {
      const Outcome<FieldValue> checked = check(field, limit);
      ASSERT_TRUE(checked) << name;
      EXPECT_EQ(checked->number, limit);
    }
  }
  EXPECT_TRUE(check(field_named("label").field, ""));
  EXPECT_TRUE(check(field_named("label").field, "fiver"));
}

TEST(Field, OfZeroAndMoreTakesNoAmountThatIsNegligible) {
  const Field& field = share_fields[0].field;
  EXPECT_EQ(allowed_in(field), "0 or a number from 0.000001 to 2");
  for (const double taken : {0.0, -0.0, 1e-6, 1.0, 2.0}) EXPECT_TRUE(check(field, taken)) << taken;
  for (const double refused : {5e-324, 1e-300, 9.99e-7, 2.1, -1e-9}) {
    const Outcome<FieldValue> checked = check(field, refused);
    ASSERT_FALSE(checked) << refused;
    EXPECT_EQ(checked.problems().front().code, ProblemCode::out_of_range);
  }
  // Where less than nothing is allowed, so is every little.
  EXPECT_TRUE(check(field_named("latency_us").field, 1e-300));
}

TEST(Field, GivesBackWhatWasAssigned) {
  Baggage baggage{Road::tree, true, "", {}, {}, {}};
  EXPECT_EQ(*value_of(baggage_fields[0], &baggage).text(), "tree");
  EXPECT_EQ(*value_of(baggage_fields[1], &baggage).flag(), true);
  EXPECT_EQ(baggage_fields[2].scalar, Scalar::none);
  const Journey journey{7, 2.5};
  EXPECT_EQ(*value_of(journey_fields[0], &journey).number(), 7);
  EXPECT_EQ(*value_of(journey_fields[1], &journey).number(), 2.5);
}

Value::Object everything() {
  return {{"ranks", 8},
          {"latency_us", 1.25},
          {"road", "tree"},
          {"heavy", false},
          {"label", "old"},
          {"sizes", Value::Numbers{1, 2}},
          {"parts", Value::List{Value::Object{{"a", 1}}}},
          {"box", Value::Object{{"b", 2}}}};
}

TEST(ReadInputs, PutsEveryKindIntoItsStruct) {
  const Outcome<Inputs> read = read_inputs<Inputs>("journey", groups, everything());
  ASSERT_TRUE(read);
  const Inputs& inputs = *read;
  EXPECT_EQ(inputs.ranks, 8);
  EXPECT_EQ(inputs.latency_us, 1.25);
  EXPECT_EQ(inputs.road, Road::tree);
  EXPECT_FALSE(inputs.heavy);
  EXPECT_EQ(inputs.label, "old");
  EXPECT_EQ(inputs.sizes, (Value::Numbers{1, 2}));
  ASSERT_NE(inputs.parts.list(), nullptr);
  EXPECT_EQ(*inputs.parts.list()->front().find("a")->number(), 1);
  EXPECT_EQ(*inputs.box.find("b")->number(), 2);
}

TEST(ReadInputs, FillsInDefaults) {
  const Outcome<Inputs> read = read_inputs<Inputs>("journey", groups, Value::Object{{"ranks", 1}});
  ASSERT_TRUE(read);
  EXPECT_EQ(read->latency_us, 2.5);
  EXPECT_EQ(read->road, Road::tree);
  EXPECT_TRUE(read->heavy);
  EXPECT_EQ(read->label, "");
  EXPECT_TRUE(read->sizes.empty());
  EXPECT_TRUE(read->parts.empty());
}

TEST(ReadInputs, TellsEveryProblemAtOnceInTheOrderOfTheTable) {
  const Value object =
      Value::Object{{"wings", 2}, {"road", "sea"}, {"latency_us", nan}, {"heavy", true}, {"Ranks", 8}};
  const Problems problems = read_inputs<Inputs>("journey", groups, object).problems();
  ASSERT_EQ(problems.size(), 5u);
  EXPECT_EQ(problems[0].message, "ranks is missing; it must be a whole number from 1 to 8");
  EXPECT_EQ(problems[1].message, "latency_us must be a number from -0.5 to 1000000; got NaN");
  EXPECT_EQ(problems[2].message, "road must be one of ring, tree; got \"sea\"");
  EXPECT_EQ(problems[3].field, "wings");
  EXPECT_EQ(problems[3].code, ProblemCode::unknown_field);
  EXPECT_EQ(problems[3].message,
            "wings is not an input of journey; its inputs are: ranks, latency_us, road, heavy, label, sizes, "
            "parts, box");
  EXPECT_EQ(problems[4].field, "Ranks");
  EXPECT_EQ(problems[4].message, "Ranks is not an input of journey; did you mean ranks?");
}

// A row of results given back as inputs has a line for each key, and the inputs once.
TEST(ReadInputs, NamesTheInputsOnce) {
  const Value object = Value::Object{{"ranks", 1}, {"wings", 2}, {"latency_ms", 1}, {"mast", 3}};
  const Problems problems = read_inputs<Inputs>("journey", groups, object).problems();
  ASSERT_EQ(problems.size(), 3u);
  EXPECT_EQ(problems[0].message, "wings is not an input of journey");
  EXPECT_EQ(problems[1].message, "latency_ms is not an input of journey; did you mean latency_us?");
  EXPECT_EQ(problems[2].message.find("mast is not an input of journey; its inputs are: ranks, "), 0u);
  for (const Problem& problem : problems) EXPECT_EQ(problem.allowed.find("ranks, latency_us"), 0u);
}

TEST(ReadInputs, ShortensALongUnknownName) {
  const std::string name(1000, 'x');
  const Problems problems =
      read_inputs<Inputs>("journey", groups, Value::Object{{"ranks", 1}, {name, 1}}).problems();
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].message.find(std::string(40, 'x') + "... is not an input of journey"), 0u);
}

TEST(ReadInputs, NamesAHundredUnknownKeysAndCountsTheRest) {
  Value::Object object = {{"ranks", 1}};
  const auto problems = [&] { return read_inputs<Inputs>("journey", groups, object).problems(); };
  for (int i = 0; i < 100; ++i) object.push_back({"x" + std::to_string(i), 1});
  ASSERT_EQ(problems().size(), 100u);
  EXPECT_EQ(problems().back().field, "x99");
  for (int i = 100; i < 1234; ++i) object.push_back({"x" + std::to_string(i), 1});
  ASSERT_EQ(problems().size(), 101u);
  EXPECT_EQ(problems()[99].field, "x99");
  EXPECT_EQ(problems()[100].code, ProblemCode::unknown_field);
  EXPECT_EQ(problems()[100].message, "1134 more are not inputs of journey");
}

TEST(ReadInputs, CountsMembersThatWereNotWritten) {
  WireBytes wire;
  WireWriter(wire).value(Value::Object{{"ranks", 1}, {"wings", 1}});
  wire.data()[5] = 41;
  Inputs inputs;
  const Problems problems = read_inputs("journey", FieldIndex(groups), WireReader(wire), &inputs);
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_EQ(problems[0].field, "wings");
  EXPECT_EQ(problems[1].message, "41 more are not inputs of journey");
}

TEST(FieldIndex, FindsEachFieldAtItsPlaceAndNothingElse) {
  const FieldIndex index(groups);
  ASSERT_EQ(index.places().size(), 8u);
  for (std::size_t place = 0; place < index.places().size(); ++place) {
    EXPECT_EQ(index.find(index.places()[place].input->field.name), place);
  }
  for (const char* name : {"", "rank", "rankss", "Ranks", "latency_u", "boxes"})
    EXPECT_EQ(index.find(name), 8u);
  EXPECT_EQ(FieldIndex({}).find("ranks"), 0u);
}

TEST(Field, HasItsMembersNameAndTheUnitThatThisSays) {
  constexpr std::string_view rows[][2] = {{"ranks", "GPUs"}, {"latency_us", "us"}, {"road", ""},
                                          {"heavy", ""},     {"label", ""},        {"sizes", "mm"},
                                          {"parts", ""},     {"box", ""}};
  const FieldIndex index(groups);
  for (std::size_t place = 0; place < std::size(rows); ++place) {
    const Field& field = index.places()[place].input->field;
    EXPECT_EQ(field.name, rows[place][0]);
    EXPECT_EQ(field.unit, rows[place][1]) << field.name;
  }
  constexpr Field plain = real<&Renamed<Journey>::host_us_per_kernel>(0, 1, "Per one").field;
  EXPECT_EQ(plain.name, "host_us_per_kernel");
  EXPECT_EQ(plain.unit, "us");
  EXPECT_EQ(renamed.field.name, "start");
  EXPECT_EQ(renamed.field.unit, "s");
}

TEST(Field, HasALabelOfItsOwnOrItsNameInWords) {
  EXPECT_EQ(label_of("tensor_parallel", "TP"), "TP");
  EXPECT_EQ(label_of("step_time_ms", ""), "Step time");
  EXPECT_EQ(label_of("gpu_hours", ""), "Gpu hours");
  EXPECT_EQ(label_of("sent_bytes_per_gpu", ""), "Sent bytes per gpu");
  EXPECT_EQ(label_of("a_share", ""), "A share");
  EXPECT_EQ(label_of("zones", ""), "Zones");
  EXPECT_EQ(label_of("2d", ""), "2d");
  EXPECT_EQ(label_of("", ""), "");
  constexpr InputField row =
      real<&Journey::latency_us>(0, 1, "Per one").labelled("Delay").of_group("work").shown();
  EXPECT_EQ(row.field.label, "Delay");
  EXPECT_EQ(row.field.group, "work");
  EXPECT_TRUE(row.field.shown);
  EXPECT_FALSE(journey_fields[1].field.shown);
}

TEST(Field, FindsAUnitAmongWholeWords) {
  constexpr std::string_view rows[][2] = {{"bytes", "bytes"},
                                          {"sent_bytes_per_gpu", "bytes"},
                                          {"tokens_per_sec_per_gpu", "tokens/s"},
                                          {"bus_bandwidth_gb_per_sec", "GB/s"},
                                          {"memory_gb", "GB"},
                                          {"num_gpus", "GPUs"},
                                          {"focus", ""},
                                          {"usual_count", ""},
                                          {"", ""}};
  for (const auto& [name, unit] : rows) EXPECT_EQ(detail::unit_in(name), unit) << name;
}

TEST(ReadInputs, RefusesWhatIsNoObject) {
  for (const Value& value : {Value(), Value(8), Value("ranks=8"), a_list, a_function}) {
    const Problems problems = read_inputs<Inputs>("journey", groups, value).problems();
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0].field, "inputs");
    EXPECT_EQ(problems[0].message, "the inputs of journey must be an object; got " + text_of(value));
  }
}

TEST(ReadInputs, OfNoFieldsTakesTheEmptyObjectOnly) {
  struct Nothing {};
  EXPECT_TRUE(read_inputs<Nothing>("catalog", {}, Value::Object{}));
  const auto refused = read_inputs<Nothing>("catalog", {}, Value::Object{{"ranks", 1}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.problems().front().message,
            "ranks is not an input of catalog; its inputs are: no inputs");
}

}  // namespace field_test
}  // namespace commcost
