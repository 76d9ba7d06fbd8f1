#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/field.h"
#include "core/launches/launched_job.h"

namespace commcost {

/// How an option's value follows its name.
enum class OptionKind : std::uint8_t {
  toggle,       ///< none: the name is enough
  value,        ///< one word
  values,       ///< words up to the next option
  with_equals,  ///< in the same word: "train.train_iters=10"
  with_colon,   ///< the same: "activation-checkpoint:full"
};

/// Where a launch sets it.
enum class OptionPlace : std::uint8_t {
  launcher,  ///< after the launcher, before the script
  script,    ///< after the script or the server
  file,      ///< in a configuration file, by its path of keys
};

/// What happened to a value that was read.
enum class Taken : std::uint8_t {
  no,      ///< the option does not take such a value
  yes,     ///< it is in the job
  partly,  ///< the part of it that is priced is in the job
  silent,  ///< it does not affect the job
};

/// An option of a stack: one row writes it and reads it back.
struct StackOption {
  std::string_view name;   ///< as the stack documents it
  std::string_view field;  ///< the input that it sets; empty: none
  OptionKind kind = OptionKind::value;
  std::string (*write)(const LaunchedJob&) = nullptr;             ///< its value; null: it is only read
  Taken (*read)(LaunchedJob&, std::string_view value) = nullptr;  ///< takes it back; null: ignored
  bool (*applies)(const LaunchedJob&) = nullptr;                  ///< when it is written; null: always
  OptionPlace place = OptionPlace::script;
  std::string_view aliases = {};  ///< other names that the stack accepts for it, separated by spaces
  bool tuned = false;             ///< whether it is among the vendor's performance settings, off by default
  std::string_view why = "not a value that is read";  ///< for a value that is not fully taken

  constexpr StackOption when(bool (*condition)(const LaunchedJob&)) const {
    StackOption other = *this;
    other.applies = condition;
    return other;
  }
  constexpr StackOption in(OptionPlace where) const {
    StackOption other = *this;
    other.place = where;
    return other;
  }
  constexpr StackOption as(OptionKind spelled) const {
    StackOption other = *this;
    other.kind = spelled;
    return other;
  }
  constexpr StackOption of_tuned() const {
    StackOption other = *this;
    other.tuned = true;
    return other;
  }
  constexpr StackOption also(std::string_view other_names) const {
    StackOption other = *this;
    other.aliases = other_names;
    return other;
  }
  constexpr StackOption only_read() const {
    StackOption other = *this;
    other.write = nullptr;
    return other;
  }
  constexpr StackOption because(std::string_view reason) const {
    StackOption other = *this;
    other.why = reason;
    return other;
  }
};

/// The whole number in a value, as an argument parser reads it; nothing if it is none.
std::optional<std::int64_t> whole_in(std::string_view value);
/// Its decimal text.
std::string text_of_whole(std::int64_t number);
/// The share of the optimizer that the host keeps, 0 to 1; read after the switch that turns it on.
Taken take_offloaded_share(LaunchedJob& launched, std::string_view share);
/// A percentage as such a share.
std::string share_of(double percent);
/// The first or second of two words.
std::string true_or_false(bool is);
/// What a switch with a value is set to, in any spelling of Python, JSON and YAML; an option without one is
/// on.
std::optional<bool> switch_in(std::string_view value);

/// A switch that hides tensor messages of both passes, or of none.
Taken take_tensor_overlap(LaunchedJob& launched, std::string_view value);

namespace launches {

// The part of a job that a member belongs to.
inline ModelShape& part(Job& job, const ModelShape*) {
  return job.model;
}
inline Work& part(Job& job, const Work*) {
  return job.work;
}
inline Layout& part(Job& job, const Layout*) {
  return job.layout;
}
inline Stack& part(Job& job, const Stack*) {
  return job.stack;
}
inline Machine& part(Job& job, const Machine*) {
  return job.machine;
}

template <auto Member>
auto& in(Job& job) {
  return part(job, static_cast<const detail::OwnerOf<Member>*>(nullptr)).*Member;
}
template <auto Member>
const auto& in(const LaunchedJob& launched) {
  return in<Member>(const_cast<Job&>(launched.job));
}
template <auto Member>
inline constexpr std::string_view field_of = detail::member_name<Member>;

/// An option whose value is a whole number of the job.
template <auto Member>
constexpr StackOption whole_option(std::string_view name) {
  return {name, field_of<Member>, OptionKind::value,
          [](const LaunchedJob& launched) {
            return text_of_whole(static_cast<std::int64_t>(in<Member>(launched)));
          },
          [](LaunchedJob& launched, std::string_view value) {
            const auto number = whole_in(value);
            if (!number) return Taken::no;
            in<Member>(launched.job) = static_cast<detail::TypeOf<Member>>(*number);
            return Taken::yes;
          }};
}

/// The same for a field that the value is computed from.
template <auto Member>
constexpr StackOption option_of(std::string_view name, std::string (*write)(const LaunchedJob&),
                                Taken (*read)(LaunchedJob&, std::string_view)) {
  return {name, field_of<Member>, OptionKind::value, write, read};
}

/// A switch that is present if a flag of the job is `On`.
template <auto Member, bool On = true>
constexpr StackOption toggle_option(std::string_view name) {
  return StackOption{name, field_of<Member>, OptionKind::toggle,
                     [](const LaunchedJob&) { return std::string(); },
                     [](LaunchedJob& launched, std::string_view value) {
                       const auto is = switch_in(value);
                       if (!is) return Taken::no;
                       in<Member>(launched.job) = *is == On;
                       return Taken::yes;
                     }}
      .when([](const LaunchedJob& launched) { return in<Member>(launched) == On; });
}

/// An option whose value is true or false, as a flag of the job is `On`.
template <auto Member, bool On = true>
constexpr StackOption flag_option(std::string_view name) {
  StackOption option = toggle_option<Member, On>(name).when(nullptr);
  option.kind = OptionKind::value;
  option.write = [](const LaunchedJob& launched) { return true_or_false(in<Member>(launched) == On); };
  return option;
}

/// An option whose value is the word at the place of a choice; an empty word has no option.
template <auto Member, const auto& Words>
constexpr StackOption choice_option(std::string_view name) {
  return {name,
          field_of<Member>,
          OptionKind::value,
          [](const LaunchedJob& launched) {
            return std::string(Words[static_cast<std::size_t>(in<Member>(launched))]);
          },
          [](LaunchedJob& launched, std::string_view value) {
            for (std::size_t at = 0; at < std::size(Words); ++at) {
              if (Words[at].empty() || Words[at] != value) continue;
              in<Member>(launched.job) = static_cast<detail::TypeOf<Member>>(at);
              return Taken::yes;
            }
            return Taken::no;
          },
          [](const LaunchedJob& launched) {
            return !Words[static_cast<std::size_t>(in<Member>(launched))].empty();
          }};
}

/// An option of every launch, whatever the job: with `Value`, or with nothing if that is empty. Any other
/// value would start the same job.
template <const auto& Value>
constexpr StackOption fixed_option(std::string_view name) {
  return {name, "", std::string_view(Value).empty() ? OptionKind::toggle : OptionKind::value,
          [](const LaunchedJob&) { return std::string(Value); }};
}

/// An option whose other values start a different job, which is not priced.
template <const auto& Value>
constexpr StackOption only_option(std::string_view name) {
  StackOption option = fixed_option<Value>(name);
  option.read = [](LaunchedJob&, std::string_view value) {
    return value == Value ? Taken::silent : Taken::no;
  };
  return option;
}

/// An option that is read but never written: an old name, a shorter one, the default.
template <auto Member>
constexpr StackOption read_option(std::string_view name, Taken (*read)(LaunchedJob&, std::string_view)) {
  return option_of<Member>(name, nullptr, read);
}

/// An option that is understood but never needed.
constexpr StackOption known_option(std::string_view name, OptionKind kind = OptionKind::value) {
  return StackOption{name, "", kind, [](const LaunchedJob&) { return std::string(); }}.when(
      [](const LaunchedJob&) { return false; });
}

}  // namespace launches
}  // namespace commcost
