#pragma once

#include <cstddef>
#include <span>

namespace commcost {

/// The soft L1 loss: near 0 the square of `x`, far from it twice its size.
double soft_l1(double x);

/// What has the soft L1 loss of `residual` as its square; `width` (> 0, as the residual) is where squares
/// end.
double softened(double residual, double width);

/// Solves a symmetric, positive definite system, whose matrix comes row by row; the solution replaces
/// `right`.
void solve(std::span<double> matrix, std::span<double> right);

/// What a fit brings near zero at some unknowns. Not a template, so that fits share code.
struct Residuals {
  std::size_t count;
  const void* context;
  void (*write)(const void* context, std::span<const double> unknowns, std::span<double> residuals);
};

/// The residuals that `write` fills in for given unknowns; it must outlive them.
template <class Write>
Residuals residuals_of(std::size_t count, const Write& write) {
  return {count, &write,
          [](const void* context, std::span<const double> unknowns, std::span<double> residuals) {
            (*static_cast<const Write*>(context))(unknowns, residuals);
          }};
}

/// Moves unknowns of about unit size to where the residuals' squares have the least sum, which it returns:
/// Levenberg and Marquardt's method.
double least_squares(const Residuals& residuals, std::span<double> unknowns);

}  // namespace commcost
