#include "core/base/least_squares.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace commcost {
namespace {

TEST(SoftL1, IsTheSquareNearZeroAndTwiceTheSizeFarAway) {
  EXPECT_EQ(soft_l1(0), 0);
  EXPECT_NEAR(soft_l1(1e-3) / 1e-6, 1, 1e-6);
  EXPECT_NEAR(soft_l1(-1e6) / 2e6, 1, 1e-5);
}

TEST(Softened, HasTheLossAsItsSquareAndTheSignOfTheResidual) {
  EXPECT_DOUBLE_EQ(softened(-0.3, 0.1) * softened(-0.3, 0.1), 0.01 * soft_l1(3));
  EXPECT_LT(softened(-0.3, 0.1), 0);
  EXPECT_GT(softened(0.3, 0.1), 0);
}

TEST(Solve, FindsWhatTheSystemWasMadeOf) {
  // By x = 2, y = -1, z = 3.
  std::array matrix = {4.0, 1.0, 0.0, 1.0, 3.0, -1.0, 0.0, -1.0, 2.0};
  std::array right = {7.0, -4.0, 7.0};
  solve(matrix, right);
  EXPECT_DOUBLE_EQ(right[0], 2);
  EXPECT_DOUBLE_EQ(right[1], -1);
  EXPECT_DOUBLE_EQ(right[2], 3);
}

TEST(LeastSquares, FindsTheLineThroughPointsOnIt) {
  const auto left = [](std::span<const double> line, std::span<double> residuals) {
    for (std::size_t x = 0; x < residuals.size(); ++x)
      residuals[x] = line[0] + line[1] * static_cast<double>(x) - (0.5 - 0.25 * static_cast<double>(x));
  };
  std::array line = {0.0, 0.0};
  EXPECT_NEAR(least_squares(residuals_of(5, left), line), 0, 1e-15);
  EXPECT_NEAR(line[0], 0.5, 1e-7);
  EXPECT_NEAR(line[1], -0.25, 1e-7);
}

// Rosenbrock's valley, which is curved: plain steps of Gauss and Newton overshoot in it.
TEST(LeastSquares, FollowsACurvedValley) {
  const auto left = [](std::span<const double> at, std::span<double> residuals) {
    residuals[0] = 10 * (at[1] - at[0] * at[0]);
    residuals[1] = 1 - at[0];
  };
  std::array at = {-1.2, 1.0};
  EXPECT_NEAR(least_squares(residuals_of(2, left), at), 0, 1e-12);
  EXPECT_NEAR(at[0], 1, 1e-5);
  EXPECT_NEAR(at[1], 1, 1e-5);
}

TEST(LeastSquares, LeavesWhatNoResidualAnswersTo) {
  const auto left = [](std::span<const double> at, std::span<double> residuals) { residuals[0] = at[0] - 1; };
  std::array at = {0.0, 0.25};
  least_squares(residuals_of(1, left), at);
  EXPECT_NEAR(at[0], 1, 1e-7);
  EXPECT_EQ(at[1], 0.25);
}

}  // namespace
}  // namespace commcost
