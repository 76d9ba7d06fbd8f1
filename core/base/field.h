#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/outcome.h"
#include "core/base/scalar.h"
#include "core/base/value.h"
#include "core/base/wire.h"

namespace commcost {

/// What kind of value a field takes or a result field holds.
enum class FieldKind {
  whole,    ///< a whole number, exact
  real,     ///< a finite number
  choice,   ///< one of a list of names
  flag,     ///< true or false
  text,     ///< text; least and greatest limit its length in bytes
  numbers,  ///< a list of numbers; least and greatest limit its length
  list,     ///< a list of objects; least and greatest limit its length
  object,   ///< named values
  lists,    ///< of results only: a list of lists, of rows where it has columns, otherwise of numbers
};

/// The kind as it crosses the boundary, such as "whole".
std::string_view name_of(FieldKind kind);

/// The least amount above 0 of a real whose least value is 0, since 0 often means "the usual value": anything
/// smaller would give results that are not finite.
inline constexpr double least_above_zero = 1e-6;

/// One input of a calculation: the row that validation, form, permalink, binding and docs read.
struct Field {
  std::string_view name;                           ///< snake_case, with its unit where it has one
  FieldKind kind;                                  ///< what kind of value
  std::string_view unit;                           ///< as shown, such as "GB/s"; empty for a plain number
  double least = 0;                                ///< least value allowed, or least length
  double greatest = 0;                             ///< greatest value allowed, or greatest length
  std::string_view help;                           ///< one line
  std::span<const std::string_view> choices = {};  ///< of a choice, in order
  std::span<const std::string_view> aliases = {};  ///< what else means each of them, a space between two
  bool required = true;                            ///< whether it must be given; if not, the default applies
  double default_value = 0;         ///< of a number, a flag (0 or 1) or a choice (its index); NaN: none
  std::string_view filled_by = {};  ///< the preset, an earlier field, that applies when this is not given
  std::string_view label = {};      ///< as forms call it; empty: its name in words
  std::string_view group = {};      ///< part of the scenario's form that it belongs to; empty: none
  bool shown = false;               ///< whether that part always shows it; otherwise it is folded away
  std::string_view former = {};     ///< its earlier name, which is still accepted; empty: none
  double former_product = 0;        ///< old times new number, where the new is an inverse; 0: the same number
};

/// A number given under a field's former name, as the field has it now.
inline double modern(const Field& field, double former) {
  return field.former_product > 0 ? field.former_product / former : former;
}

/// The note about a number given under a field's former name.
std::string renaming_of(const Field& field);

/// The label of a field or result: its own, or else its name in words without the unit at its end.
std::string label_of(std::string_view name, std::string_view own);

/// What is allowed in a field, in words: "a whole number from 1 to 8".
std::string allowed_in(const Field& field);

/// A checked value on its way into a struct: the number (flag: 0 or 1, choice: its index), or the value
/// itself.
struct FieldValue {
  double number = 0;
  const Value* value = nullptr;
};

/// Why a field does not take that number; nothing where it does.
std::optional<ProblemCode> refusal(const Field& field, double number);

/// The value of a field, or the one problem that it has.
Outcome<FieldValue> check(const Field& field, const Value& value);

/// A field together with the struct member that receives it.
struct InputField {
  Field field;
  Scalar scalar;                                       ///< how the member holds a number, flag or choice
  void* (*member)(void* owner);                        ///< that member; null where there is none
  void (*take)(void* owner, const FieldValue& value);  ///< takes any other value, or a preset; null for that
  std::size_t (*usual)(const void* owner) = nullptr;   ///< of a preset that another fills: its row then
  bool paces_links = false;                            ///< whether it affects only the speed of links

  void assign(void* owner, const FieldValue& value) const {
    if (take != nullptr) return take(owner, value);
    put_number(scalar, member(owner), value.number);
  }
  /// Whether it fills other members, and has none.
  bool is_preset() const { return field.kind == FieldKind::choice && member == nullptr; }
  /// The number, flag or choice as assigned; only where there is one.
  double number(const void* owner) const { return number_in(scalar, member(const_cast<void*>(owner))); }

  /// The same field, optional: `value` is the default (flag: 0 or 1, choice: its index).
  constexpr InputField or_default(double value) const {
    InputField optional = *this;
    optional.field.required = false;
    optional.field.default_value = value;
    return optional;
  }

  /// The same field, optional and without a default: if it is not given, the struct's member stays as it is.
  constexpr InputField optional() const { return or_default(std::numeric_limits<double>::quiet_NaN()); }

  /// The same field under another name than its member's.
  constexpr InputField named(std::string_view name) const { return with(&Field::name, name); }

  /// The same field with a unit that its name does not say.
  constexpr InputField in(std::string_view unit) const { return with(&Field::unit, unit); }

  /// The same field, as forms call it.
  constexpr InputField labelled(std::string_view label) const { return with(&Field::label, label); }

  /// The same choice, with further names for each.
  constexpr InputField or_as(std::span<const std::string_view> aliases) const {
    InputField other = *this;
    other.field.aliases = aliases;
    return other;
  }

  /// The same field, in that part of the scenario's form.
  constexpr InputField of_group(std::string_view group) const { return with(&Field::group, group); }

  /// The same field, always shown by its part of the form.
  constexpr InputField shown() const {
    InputField other = *this;
    other.field.shown = true;
    return other;
  }

  /// The same field; if it is not given but `preset`, an earlier field, is, it keeps what that filled in.
  constexpr InputField filled_by(std::string_view preset) const { return with(&Field::filled_by, preset); }

  /// The same preset; if it is not given, the row that `usual` returns for its owner applies.
  constexpr InputField usually(std::size_t (*usual)(const void* owner)) const {
    InputField other = *this;
    other.usual = usual;
    return other;
  }

  /// The same field, marked as affecting only the speed of links.
  constexpr InputField of_links() const {
    InputField other = *this;
    other.paces_links = true;
    return other;
  }

  /// The same field, also accepted under its earlier name.
  constexpr InputField formerly(std::string_view name) const { return with(&Field::former, name); }
  /// The same, where the old number is `product` divided by the new one.
  constexpr InputField formerly_over(std::string_view name, double product) const {
    InputField renamed = formerly(name);
    renamed.field.former_product = product;
    return renamed;
  }

 private:
  constexpr InputField with(std::string_view Field::*text, std::string_view said) const {
    InputField other = *this;
    other.field.*text = said;
    return other;
  }
};

/// A field's number, flag (0 or 1) or choice (its index), as a value that it accepts.
Value value_of(const Field& field, double number);
/// The same for a number in a struct.
Value value_of(const InputField& input, const void* owner);

/// Fields that belong together, and where their struct lies within a calculation's inputs.
struct FieldGroup {
  std::span<const InputField> fields;
  void* (*select)(void* inputs);
};

namespace detail {

template <class Owner, class Type>
Owner owner_of(Type Owner::*);
template <class Owner, class Type>
Type type_of(Type Owner::*);

/// g++ 12 gives a template over a member of an unnamed namespace's struct external linkage: the linker would
/// take two structs of the same name in two files for one, and write to the wrong place.
template <auto Member>
consteval bool in_named_namespace() {
  return std::string_view(__PRETTY_FUNCTION__).find("anonymous") == std::string_view::npos;
}

template <auto Member>
using OwnerOf = decltype(owner_of(Member));
template <auto Member>
using TypeOf = decltype(type_of(Member));

// The member's name, which both compilers print last: "Member = &commcost::Layout::tensor_parallel]".
template <auto Member>
consteval std::string_view printed_name() {
  std::string_view printed = __PRETTY_FUNCTION__;
  printed = printed.substr(printed.find("Member = "));
  printed = printed.substr(0, printed.find_first_of(";]"));
  return printed.substr(printed.rfind(':') + 1);
}

// A copy: a view into the printed text would keep all of it in the module.
template <auto Member>
inline constexpr auto letters_of = [] {
  std::array<char, printed_name<Member>().size()> letters{};
  for (std::size_t at = 0; at < letters.size(); ++at) letters[at] = printed_name<Member>()[at];
  return letters;
}();

struct UnitWord {
  std::string_view word;
  std::string_view unit;
};

// The first of these found among a name's words gives its unit: "host_us_per_kernel" is in us.
inline constexpr UnitWord unit_words[] = {
    {"gb_per_sec", "GB/s"}, {"tokens_per_sec", "tokens/s"},
    {"tflops", "TFLOP/s"},  {"flops", "FLOP"},
    {"gib", "GiB"},         {"gb", "GB"},
    {"bytes", "bytes"},     {"percent", "%"},
    {"ms", "ms"},           {"us", "us"},
    {"days", "days"},       {"gpus", "GPUs"},
    {"layers", "layers"},   {"tokens", "tokens"},
    {"experts", "experts"}, {"heads", "heads"},
    {"groups", "groups"},   {"degrees", "GPUs"},
    {"runs", "runs"},       {"sequences", "sequences"},
};

constexpr bool has_word(std::string_view name, std::string_view word) {
  for (std::size_t at = name.find(word); at != std::string_view::npos; at = name.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || name[at - 1] == '_') && (end == name.size() || name[end] == '_')) return true;
  }
  return false;
}

constexpr std::string_view unit_in(std::string_view name) {
  for (const UnitWord& row : unit_words) {
    if (has_word(name, row.word)) return row.unit;
  }
  return "";
}

template <auto Member>
inline constexpr std::string_view member_name{letters_of<Member>.data(), letters_of<Member>.size()};
template <auto Member>
inline constexpr std::string_view member_unit = unit_in(member_name<Member>);

template <auto Member>
void* member(void* owner) {
  return &(static_cast<OwnerOf<Member>*>(owner)->*Member);
}

template <auto Member>
void take(void* owner, const FieldValue& from) {
  using Type = TypeOf<Member>;
  Type& to = static_cast<OwnerOf<Member>*>(owner)->*Member;
  if constexpr (std::is_same_v<Type, std::string>) {
    to = from.value == nullptr ? std::string() : *from.value->text();
  } else if constexpr (std::is_same_v<Type, Value::Numbers>) {
    to =
        from.value == nullptr || from.value->numbers() == nullptr ? Value::Numbers() : *from.value->numbers();
  } else {
    static_assert(std::is_same_v<Type, Value>);
    to = from.value == nullptr ? Value() : *from.value;
  }
}

template <auto Member>
constexpr InputField input(const Field& field) {
  static_assert(in_named_namespace<Member>(),
                "an input's struct needs a name of its own in a named namespace");
  constexpr Scalar scalar = scalar_of<TypeOf<Member>>();
  if constexpr (scalar == Scalar::none) {
    return {field, scalar, nullptr, take<Member>};
  } else {
    return {field, scalar, member<Member>, nullptr};
  }
}

}  // namespace detail

// Names are the members' own, units what these say; named() and in() are for what differs.

/// An input that is a whole number (member: an integer or a double).
template <auto Member>
constexpr InputField whole(double least, double greatest, std::string_view help) {
  return detail::input<Member>(
      {detail::member_name<Member>, FieldKind::whole, detail::member_unit<Member>, least, greatest, help});
}

/// An input that is a finite number (member: a double).
template <auto Member>
constexpr InputField real(double least, double greatest, std::string_view help) {
  return detail::input<Member>(
      {detail::member_name<Member>, FieldKind::real, detail::member_unit<Member>, least, greatest, help});
}

/// An input that is one of `choices` (member: an enum whose values follow their order, or an integer).
template <auto Member>
constexpr InputField choice(std::span<const std::string_view> choices, std::string_view help) {
  return detail::input<Member>({detail::member_name<Member>, FieldKind::choice, "", 0,
                                static_cast<double>(choices.size()) - 1, help, choices});
}

/// A preset: an input that puts the row of that name into its owner's members, which later fields may then
/// change. It has no member of its own.
template <auto Fill>
constexpr InputField preset(std::string_view name, std::span<const std::string_view> choices,
                            std::string_view help) {
  const InputField field{
      {name, FieldKind::choice, "", 0, static_cast<double>(choices.size()) - 1, help, choices},
      Scalar::none,
      nullptr,
      [](void* owner, const FieldValue& from) { Fill(owner, static_cast<std::size_t>(from.number)); }};
  return field.optional();
}

/// An input that is true or false (member: a bool).
template <auto Member>
constexpr InputField flag(std::string_view help) {
  return detail::input<Member>({detail::member_name<Member>, FieldKind::flag, "", 0, 1, help});
}

/// An input that is text of at most `greatest` bytes (member: a std::string).
template <auto Member>
constexpr InputField text(double greatest, std::string_view help) {
  return detail::input<Member>({detail::member_name<Member>, FieldKind::text, "", 0, greatest, help});
}

/// An input that is a list of `least` to `greatest` finite numbers (member: Value::Numbers).
template <auto Member>
constexpr InputField numbers(double least, double greatest, std::string_view help) {
  return detail::input<Member>(
      {detail::member_name<Member>, FieldKind::numbers, detail::member_unit<Member>, least, greatest, help});
}

/// An input that is a list of `least` to `greatest` objects, checked by the calculation (member: a Value).
template <auto Member>
constexpr InputField list(double least, double greatest, std::string_view help) {
  return detail::input<Member>({detail::member_name<Member>, FieldKind::list, "", least, greatest, help});
}

/// An input that is an object, checked by the calculation (member: a Value).
template <auto Member>
constexpr InputField object(std::string_view help) {
  return detail::input<Member>({detail::member_name<Member>, FieldKind::object, "", 0, 0, help});
}

/// The fields of `Group`, a base of `Inputs` or `Inputs` itself.
template <class Inputs, class Group = Inputs>
constexpr FieldGroup group(std::span<const InputField> fields) {
  return {fields, [](void* inputs) -> void* { return static_cast<Group*>(static_cast<Inputs*>(inputs)); }};
}

/// The fields of the struct that is a member of a calculation's inputs.
template <auto Member>
constexpr FieldGroup group_of(std::span<const InputField> fields) {
  static_assert(detail::in_named_namespace<Member>());
  return {fields,
          [](void* inputs) -> void* { return &(static_cast<detail::OwnerOf<Member>*>(inputs)->*Member); }};
}

/// The fields of a calculation by name; made once, since every call looks up each member that it is given.
class FieldIndex {
 public:
  struct Place {
    const InputField* input;
    void* (*select)(void* inputs);
    std::size_t preset;  ///< index of the preset that fills it; places().size() if there is none
    bool fills;          ///< whether it is a preset, which fills other places too
  };

  explicit FieldIndex(std::span<const FieldGroup> groups);

  /// Every field, in the order of the table.
  std::span<const Place> places() const { return places_; }
  /// Index among these of the field with that name or former name; places().size() if there is none.
  std::size_t find(std::string_view name) const;
  /// The field of an object's next member, and the name by which it is given.
  struct Given {
    std::size_t place;
    std::string_view name;
  };
  Given next_of(WireReader& object) const;

 private:
  void add(std::string_view name, std::size_t place);

  std::vector<Place> places_;
  std::vector<std::uint16_t>
      slots_;  ///< by hash, then the next free one; a power of two, at least half empty
};

/// What a caller should know about accepted inputs, in sentences.
using Notes = std::vector<std::string>;

/// Reads an object into `inputs` by the fields; returns every problem with a field and every unknown key.
/// `notes`: which inputs were given under former names.
Problems read_inputs(std::string_view calculation, const FieldIndex& fields, WireReader object, void* inputs,
                     Notes* notes = nullptr);

/// Reads a value into the field at that place and returns its problem, if any. `formerly`: whether it is
/// given under the field's former name.
std::optional<Problem> read_input(const FieldIndex::Place& place, WireReader given, bool formerly,
                                  void* inputs);

/// The problem of a field that is given under both its names.
Problem given_twice(const Field& field);

/// `object` read into a new `Inputs`, or all its problems.
template <class Inputs>
Outcome<Inputs> read_inputs(std::string_view calculation, std::span<const FieldGroup> groups,
                            const Value& object) {
  Inputs inputs{};
  WireBytes wire;
  WireWriter(wire).value(object);
  Problems problems = read_inputs(calculation, FieldIndex(groups), WireReader(wire), &inputs);
  if (!problems.empty()) return problems;
  return inputs;
}

}  // namespace commcost
