#include "core/base/result.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace commcost {
namespace result_test {

enum class Fruit { apple, pear };
constexpr std::string_view fruit_names[] = {"apple", "pear"};

struct Row {
  int weight = 0;
};

struct Results {
  double price = 1.5;
  double count = 3;
  std::int64_t mass = 9007199254740991;
  bool ripe = true;
  std::string name = "basket";
  Value::Numbers sizes = {1, 2};
  Fruit fruit = Fruit::pear;
  std::vector<Row> rows = {{5}, {7}};
  Row best = {9};
  Wholes places = {3, 4};
  std::vector<Wholes> shelves = {{1}, {}};
  std::vector<std::vector<Row>> boxes = {{{1}, {2}}, {}};
};

constexpr ResultField row_columns[] = {result<&Row::weight>("Of one").in("g")};
constexpr ResultField fields[] = {
    result<&Results::price>("Of all").in("euro"),
    whole_result<&Results::count>("How many"),
    result<&Results::mass>("Of all").in("g"),
    result<&Results::ripe>("Whether"),
    result<&Results::name>("Name"),
    result<&Results::sizes>("Of each").in("mm"),
    choice_result<&Results::fruit>(fruit_names, "Kind"),
    rows_result<&Results::rows>(row_columns, "One by one"),
    object_result<&Results::best>(row_columns, "The best"),
    result<&Results::places>("Where"),
    result<&Results::shelves>("What lies on each"),
    row_lists_result<&Results::boxes>(row_columns, "What lies in each"),
};

TEST(Result, KnowsItsKind) {
  const FieldKind kinds[] = {FieldKind::real,   FieldKind::whole,   FieldKind::whole,  FieldKind::flag,
                             FieldKind::text,   FieldKind::numbers, FieldKind::choice, FieldKind::list,
                             FieldKind::object, FieldKind::list,    FieldKind::lists,  FieldKind::lists};
  for (std::size_t i = 0; i < std::size(fields); ++i) EXPECT_EQ(fields[i].kind, kinds[i]) << fields[i].name;
}

TEST(Result, ReadsEveryMemberUnderItsName) {
  const Results results;
  const Value value = value_of(fields, &results);
  ASSERT_NE(value.object(), nullptr);
  ASSERT_EQ(value.object()->size(), std::size(fields));
  EXPECT_EQ(*value.find("price")->number(), 1.5);
  EXPECT_EQ(*value.find("count")->number(), 3);
  EXPECT_EQ(*value.find("mass")->number(), 9007199254740991);
  EXPECT_EQ(*value.find("ripe")->flag(), true);
  EXPECT_EQ(*value.find("name")->text(), "basket");
  EXPECT_EQ(*value.find("sizes")->numbers(), (Value::Numbers{1, 2}));
  EXPECT_EQ(*value.find("fruit")->text(), "pear");
  ASSERT_EQ(value.find("rows")->list()->size(), 2u);
  EXPECT_EQ(*value.find("rows")->list()->back().find("weight")->number(), 7);
  EXPECT_EQ(*value.find("best")->find("weight")->number(), 9);
  EXPECT_EQ(*value.find("places")->list()->back().number(), 4);
  ASSERT_EQ(value.find("shelves")->list()->size(), 2u);
  EXPECT_EQ(*value.find("shelves")->list()->front().list()->front().number(), 1);
  EXPECT_TRUE(value.find("shelves")->list()->back().list()->empty());
  ASSERT_EQ(value.find("boxes")->list()->size(), 2u);
  EXPECT_EQ(*value.find("boxes")->list()->front().list()->back().find("weight")->number(), 2);
}

TEST(Result, IsWrittenAsARowWithoutNames) {
  const Results results;
  WireBytes wire;
  WireWriter to(wire);
  EXPECT_EQ(write_row(std::span(fields).first(4), &results, to), nullptr);
  WireBytes expected;
  WireWriter by_hand(expected);
  by_hand.row();
  by_hand.number(1.5), by_hand.number(3), by_hand.number(9007199254740991), by_hand.flag(true);
  EXPECT_EQ(wire, expected);
}

TEST(Result, TellsTheFirstFieldThatIsNotFinite) {
  Results results;
  results.sizes = {1, std::numeric_limits<double>::infinity()};
  WireBytes wire;
  WireWriter to(wire);
  EXPECT_EQ(write_row(fields, &results, to), &fields[5]);
  results.count = std::numeric_limits<double>::quiet_NaN();
  WireWriter again(wire);
  EXPECT_EQ(write_row(fields, &results, again), &fields[1]);
}

TEST(Result, IsAColumnOfASweepWhereItIsANumber) {
  const Results results;
  for (const ResultField& field : fields) {
    const bool number = field.kind == FieldKind::real || field.kind == FieldKind::whole;
    EXPECT_EQ(field.swept(), number) << field.name;
    if (!number) continue;
    EXPECT_EQ(number_in(field.scalar, field.member(&results)),
              *value_of(fields, &results).find(field.name)->number())
        << field.name;
  }
}

}  // namespace result_test
}  // namespace commcost
