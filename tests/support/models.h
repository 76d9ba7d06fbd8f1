#pragma once

#include <gtest/gtest.h>

#include <cctype>
#include <ostream>
#include <string>

#include "core/model/catalog.h"

namespace commcost {

inline void PrintTo(const ModelRow& model, std::ostream* out) {
  *out << model.id;
}

namespace test {

/// The name of a test case of a catalog model.
inline std::string name_of_model(const testing::TestParamInfo<ModelRow>& model) {
  std::string name(model.param.id);
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

}  // namespace test
}  // namespace commcost
