#pragma once

#include <string_view>

namespace commcost {

/// What the band of a prediction rests on: of steps, servers, kernels and collectives alike.
enum class Basis {
  measured,   ///< series of this accelerator, and of this stack where there is one
  similar,    ///< whatever is most like it
  estimated,  ///< neither
};
inline constexpr std::string_view basis_names[] = {"measured", "similar", "estimated"};

/// Series (of one source, model or shape, and precision) needed to call something measured.
inline constexpr int enough_series = 3;

}  // namespace commcost
