// What a build with switches runs where a change was drawn: as it is, or changed where that change is the one
// that is on (COMMCOST_MUTANT). `a + b` becomes `a + switched::plus<7>{} + b`, which binds as before. What is
// computed while compiling is as it is, and reaches no switch.
// Found by two paths, in the work tree and in its copy.
#ifndef COMMCOST_SWITCHED_H
#define COMMCOST_SWITCHED_H

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <type_traits>

// What is changed on purpose may well be worth a warning.
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#pragma GCC diagnostic ignored "-Wnarrowing"
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wint-in-bool-context"
#pragma GCC diagnostic ignored "-Wunused-value"
#pragma GCC diagnostic ignored "-Wpedantic"

namespace switched {

/// By switch: 0 until it is reached, 1 once it is, 2 where the change would not compile.
inline unsigned char reached[1 << 16];

/// The switch that is on.
inline int& which() {
  static int given = [] {
    const char* text = std::getenv("COMMCOST_MUTANT");
    return text != nullptr ? std::atoi(text) : -1;
  }();
  return given;
}

inline bool chosen(int id) {
  if (reached[id] == 0) reached[id] = 1;
  return id == which();
}

constexpr bool on(int id) {
  return !std::is_constant_evaluated() && chosen(id);
}

constexpr void note_impossible(int id) {
  if (!std::is_constant_evaluated()) reached[id] = 2;
}

// Of what it holds, the type as it was given: a reference to what has a name, or what has none.
template <class Left, int id, int kind>
struct Held {
  Left&& left;
};

#define COMMCOST_SWITCHED(name, from, to)                                             \
  template <int id>                                                                   \
  struct name {};                                                                     \
  template <class Left, int id>                                                       \
  constexpr Held<Left, id, __LINE__> operator from(Left&& left, name<id>) {           \
    return {static_cast<Left&&>(left)};                                               \
  }                                                                                   \
  template <class Left, int id, class Right>                                          \
  constexpr auto operator from(Held<Left, id, __LINE__> held, Right&& right) {        \
    using Result = decltype(held.left from right);                                    \
    if constexpr (requires { static_cast<Result>(held.left to right); }) {            \
      return on(id) ? static_cast<Result>(held.left to right) : held.left from right; \
    } else {                                                                          \
      note_impossible(id);                                                            \
      return held.left from right;                                                    \
    }                                                                                 \
  }

COMMCOST_SWITCHED(plus, +, -)
COMMCOST_SWITCHED(minus, -, +)
COMMCOST_SWITCHED(times, *, /)
COMMCOST_SWITCHED(over, /, *)
COMMCOST_SWITCHED(below, <, <=)
COMMCOST_SWITCHED(at_most, <=, <)
COMMCOST_SWITCHED(above, >, >=)
COMMCOST_SWITCHED(at_least, >=, >)
COMMCOST_SWITCHED(equals, ==, !=)
COMMCOST_SWITCHED(differs, !=, ==)
#undef COMMCOST_SWITCHED

template <class Right, int id, int kind>
struct Assigned {
  const Right& right;
};

#define COMMCOST_SWITCHED(name, from, to)                                                   \
  template <int id>                                                                         \
  struct name {};                                                                           \
  template <int id, class Right>                                                            \
  constexpr Assigned<Right, id, __LINE__> operator from(name<id>, const Right& right) {     \
    return {right};                                                                         \
  }                                                                                         \
  template <class Left, int id, class Right>                                                \
  constexpr decltype(auto) operator from(Left&& left, Assigned<Right, id, __LINE__> held) { \
    if constexpr (requires { left to held.right; }) {                                       \
      if (on(id)) {                                                                         \
        left to held.right;                                                                 \
      } else {                                                                              \
        left from held.right;                                                               \
      }                                                                                     \
    } else {                                                                                \
      note_impossible(id);                                                                  \
      left from held.right;                                                                 \
    }                                                                                       \
    return (left);                                                                          \
  }

COMMCOST_SWITCHED(adds, +=, -=)
COMMCOST_SWITCHED(takes, -=, +=)
COMMCOST_SWITCHED(multiplies, *=, /=)
COMMCOST_SWITCHED(divides, /=, *=)
#undef COMMCOST_SWITCHED

template <int id, class Number>
constexpr Number constant(Number number) {
  return on(id) ? number + 1 : number;
}

/// std::max and std::min in all their forms.
template <int id, bool greatest>
struct Extreme {
  template <class Item>
  static constexpr const Item& of(const Item& a, const Item& b) {
    return on(id) != greatest ? std::max(a, b) : std::min(a, b);
  }
  template <class Item, class Compare>
  static constexpr const Item& of(const Item& a, const Item& b, Compare compare) {
    return on(id) != greatest ? std::max(a, b, compare) : std::min(a, b, compare);
  }
  template <class Item>
  static constexpr Item of(std::initializer_list<Item> items) {
    return on(id) != greatest ? std::max(items) : std::min(items);
  }
};

}  // namespace switched

#endif
