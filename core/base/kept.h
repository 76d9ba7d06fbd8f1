#pragma once

#include <optional>

namespace commcost {

/// A value that is kept as long as what it was made from stays the same.
template <class From, class Value>
class Kept {
 public:
  /// The value for `from`, remade by `make` if `from` has changed.
  template <class Make>
  const Value& of(const From& from, const Make& make) {
    if (!kept_ || !(kept_->from == from)) kept_.emplace(Made{from, make()});
    return kept_->value;
  }
  void forget() { kept_.reset(); }

 private:
  struct Made {
    From from;
    Value value;
  };
  std::optional<Made> kept_;
};

}  // namespace commcost
