#pragma once

#include "core/base/field.h"

namespace commcost {

/// The tokens of a whole training run, shared by every calculation that returns how long one takes.
template <auto Member>
constexpr InputField token_budget_field() {
  return real<Member>(0, 1e18, "Tokens that the whole training run sees")
      .in("tokens")
      .labelled("Training tokens")
      .or_default(1e12)
      .of_group("work");
}

}  // namespace commcost
