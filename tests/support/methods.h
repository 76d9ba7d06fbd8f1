#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "core/collective/method.h"

namespace commcost {

/// A method's name in tests: "all_reduce_ring".
inline std::string name_of(const Method& method) {
  return std::string(name_of(method.collective)) + "_" + std::string(name_of(method.algorithm));
}

inline void PrintTo(const Method& method, std::ostream* out) {
  *out << name_of(method);
}

namespace test {

/// The groups of `ranks` that a method tells apart: every group size, several numbers of pieces.
inline std::vector<Group> groups_of(const Method& method, int ranks) {
  std::vector<Group> groups;
  for (int group_size = 1; group_size <= (method.grouped ? ranks : 1); ++group_size) {
    if (ranks % group_size != 0) continue;
    for (const int pieces : {1, 2, 5}) {
      if (pieces == 1 || method.pipelined) {
        groups.push_back({.ranks = ranks, .group_size = group_size, .pieces = pieces});
      }
    }
  }
  return groups;
}

/// Instantiates a suite for every row of the table of methods.
struct MethodName {
  std::string operator()(const testing::TestParamInfo<Method>& info) const { return name_of(info.param); }
};

}  // namespace test
}  // namespace commcost
