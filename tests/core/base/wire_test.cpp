#include "core/base/wire.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

namespace commcost {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::string wire_of(const Value& value) {
  WireBytes wire;
  WireWriter(wire).value(value);
  return std::string(std::string_view(wire));
}

// Values of every kind, each in every place where one can be.
Value everything() {
  return Value::Object{{"nothing", {}},
                       {"no", false},
                       {"yes", true},
                       {"number", -1.5},
                       {"text", "Ω and a\0b"},
                       {"", ""},
                       {"numbers", Value::Numbers{1, infinity}},
                       {"none", Value::Numbers{}},
                       {"list", Value::List{1, "two", Value::List{}, Value::Object{{"three", 3}}}},
                       {"foreign", Foreign{"a function"}}};
}

TEST(Wire, IsAsItsHeaderSays) {
  using namespace std::string_literals;
  EXPECT_EQ(wire_of({}), "\0"s);
  EXPECT_EQ(wire_of(false), "\1"s);
  EXPECT_EQ(wire_of(true), "\2"s);
  EXPECT_EQ(wire_of(1), "\3\0\0\0\0\0\0\xF0\x3F"s);
  EXPECT_EQ(wire_of("ab"), "\4\2\0\0\0ab"s);
  EXPECT_EQ(wire_of(Value::Numbers{1}), "\5\1\0\0\0\0\0\0\0\0\0\xF0\x3F"s);
  EXPECT_EQ(wire_of(Value::List{true, {}}), "\6\2\0\0\0\2\0"s);
  EXPECT_EQ(wire_of(Value::Object{{"a", true}}), "\7\1\0\0\0\0\0\0\0\1\0\0\0a\2"s);
  EXPECT_EQ(wire_of(Foreign{"a"}), "\10\1\0\0\0a"s);
}

TEST(Wire, WritesNotesWhereThereAreAny) {
  using namespace std::string_literals;
  WireBytes wire;
  WireWriter to(wire);
  to.notes({});
  EXPECT_TRUE(std::string_view(wire).empty());
  to.notes(std::vector<std::string>{"ab"});
  EXPECT_EQ(std::string(std::string_view(wire)), "\13\6\1\0\0\0\4\2\0\0\0ab"s);
}

TEST(Wire, GivesBackWhatWasWritten) {
  const std::string wire = wire_of(everything());
  WireReader from(wire);
  const Value back = from.value();
  EXPECT_TRUE(from.at_end());
  EXPECT_EQ(wire_of(back), wire);
  EXPECT_EQ(*back.find("number")->number(), -1.5);
  EXPECT_EQ(back.find("numbers")->numbers()->size(), 2u);
  EXPECT_EQ(*back.find("list")->list()->back().find("three")->number(), 3);
  EXPECT_EQ(back.find("foreign")->foreign()->what, "a function");
}

TEST(Wire, GivesWholeNumbersBackAsAList) {
  WireBytes wire;
  WireWriter to(wire);
  const Wholes numbers = {0, 258, 2147483647};
  to.wholes(numbers), to.flag(true);
  using namespace std::string_literals;
  EXPECT_EQ(std::string_view(wire), "\12\3\0\0\0\0\0\0\0\2\1\0\0\xFF\xFF\xFF\x7F\2"s);
  WireReader from(wire);
  const Value back = from.value();
  EXPECT_EQ(from.next(), WireTag::yes);
  ASSERT_EQ(back.list()->size(), numbers.size());
  for (std::size_t at = 0; at < numbers.size(); ++at) EXPECT_EQ(*(*back.list())[at].number(), numbers[at]);
  WireReader passes(wire);
  EXPECT_EQ(passes.skip().size(), wire.size() - 1);
  // Cut short, it has what is there; more is never read.
  for (std::size_t size = 0; size + 1 < wire.size(); ++size) {
    WireReader cut(std::string_view(wire).substr(0, size));
    const Value some = cut.value();
    EXPECT_EQ(some.list() == nullptr ? 0 : some.list()->size(), size < 5 ? 0 : (size - 5) / 4);
  }
}

TEST(Wire, LeavesRoomForNumbersThatAreFilledInLater) {
  WireBytes wire;
  WireWriter to(wire);
  const std::size_t begin = to.room_for_numbers(2);
  to.flag(true);
  const Value::Numbers numbers = {1.5, 2.5};
  std::memcpy(to.at(begin), numbers.data(), 2 * sizeof(double));
  WireReader from(wire);
  EXPECT_EQ(*from.value().numbers(), numbers);
  EXPECT_EQ(from.next(), WireTag::yes);
}

TEST(Wire, PassesOverAnyValueWhole) {
  const Value value = everything();
  for (const Member& member : *value.object()) {
    const std::string first = wire_of(member.value);
    const std::string both = first + wire_of("next");
    WireReader from(both);
    EXPECT_EQ(from.skip(), first) << member.name;
    EXPECT_EQ(from.text(), "next") << member.name;
    EXPECT_TRUE(from.at_end()) << member.name;
  }
}

TEST(Wire, PassesOverColumnsWhole) {
  WireBytes wire;
  WireWriter to(wire);
  const std::size_t place = to.columns(2);
  to.column(WireTag::number), to.real(1.5), to.real(-2);
  to.column(WireTag::yes), to.u8(1), to.u8(0);
  to.column(WireTag::list), to.text("one"), to.numbers(Value::Numbers{1, 2});
  to.end_columns(place);
  to.flag(true);
  WireReader passes(wire);
  EXPECT_EQ(passes.skip().size(), wire.size() - 1);
  EXPECT_EQ(passes.next(), WireTag::yes);
  WireReader from(wire);
  EXPECT_EQ(from.columns(), 2u);
  EXPECT_EQ(from.column(), WireTag::number);
  EXPECT_EQ(from.real(), 1.5);
  EXPECT_EQ(from.real(), -2);
  EXPECT_EQ(from.column(), WireTag::yes);
  EXPECT_EQ(from.u8(), 1);
  EXPECT_EQ(from.u8(), 0);
  EXPECT_EQ(from.column(), WireTag::list);
  EXPECT_EQ(from.text(), "one");
  EXPECT_EQ(from.value().numbers()->size(), 2u);
  EXPECT_TRUE(to.finite());
  to.real(std::numeric_limits<double>::infinity());
  EXPECT_FALSE(to.finite());
  // Of columns that are cut short there are no more rows than bytes.
  for (std::size_t size = 0; size < 12; ++size) {
    WireReader cut(std::string_view(wire).substr(0, size));
    EXPECT_LE(cut.columns(), size < 9 ? 0 : size - 9);
  }
}

TEST(Wire, TellsPlacesFromNames) {
  WireBytes wire;
  WireWriter to(wire);
  const std::uint32_t seventh = first_place + 7;
  to.name("seven");
  std::memcpy(wire.add(sizeof seventh), &seventh, sizeof seventh);
  to.flag(true);
  WireReader from(wire);
  EXPECT_FALSE(from.place());
  EXPECT_EQ(from.name(), "seven");
  EXPECT_EQ(from.place(), 7u);
  EXPECT_EQ(from.next(), WireTag::yes);
}

TEST(Wire, TellsMembersThatWereLeftOut) {
  std::string wire = wire_of(Value::Object{{"a", true}});
  const std::uint32_t left_out = 7;
  std::memcpy(wire.data() + 5, &left_out, sizeof left_out);
  WireReader from(wire);
  const auto members = from.object();
  EXPECT_EQ(members.count, 1u);
  EXPECT_EQ(members.left_out, 7u);
  EXPECT_EQ(from.name(), "a");
}

TEST(Wire, KnowsWhetherAllNumbersAreFinite) {
  WireBytes wire;
  WireWriter to(wire);
  to.number(1);
  to.numbers(Value::Numbers{1, 2});
  EXPECT_TRUE(to.finite());
  to.number(infinity);
  to.number(1);
  EXPECT_FALSE(to.finite());
  WireWriter lists(wire);
  lists.numbers(Value::Numbers{1, std::numeric_limits<double>::quiet_NaN(), 1});
  EXPECT_FALSE(lists.finite());
}

TEST(Wire, CutShortAnywhereIsReadNoFurtherThanItsEnd) {
  const std::string wire = wire_of(everything());
  for (std::size_t size = 0; size < wire.size(); ++size) {
    // Of its own storage, whose end a sanitizer guards.
    const std::vector<char> cut(wire.begin(), wire.begin() + static_cast<std::ptrdiff_t>(size));
    WireReader from({cut.data(), cut.size()});
    EXPECT_LE(wire_of(from.value()).size(), wire.size()) << size;
    WireReader passing({cut.data(), cut.size()});
    EXPECT_LE(passing.skip().size(), size);
  }
}

TEST(Wire, TakesNoCountForMoreThanIsThere) {
  for (const char tag : {'\4', '\5', '\6', '\7', '\10'}) {
    const std::string wire = std::string(1, tag) + "\xFF\xFF\xFF\xFF" + std::string(20, '\1');
    EXPECT_LE(wire_of(WireReader(wire).value()).size(), 200u) << static_cast<int>(tag);
  }
}

TEST(Wire, IsReadToABoundedDepth) {
  std::string wire;
  for (int depth = 0; depth < 100'000; ++depth) wire += std::string("\6\1\0\0\0", 5);
  EXPECT_LT(wire_of(WireReader(wire).value()).size(), 1000u);
  EXPECT_LE(WireReader(wire).skip().size(), wire.size());
}

}  // namespace
}  // namespace commcost
