// What the calculations that write launches say of the stack.

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "core/calculator/engine.h"
#include "core/launches/exported_launch.h"
#include "core/parallel/recipes.h"
#include "core/parallel/stacks.h"

namespace commcost {
namespace {

// A deployment of a small model on that stack.
bool rules_checked(std::string_view server) {
  Value::Object inputs;
  inputs.push_back({"model", "llama-3.1-8b"});
  inputs.push_back({"accelerator", "h100-sxm"});
  inputs.push_back({"server", std::string(server)});
  inputs.push_back({"batch_size", 1});
  const Outcome<Value> launch = run("export_deployment", inputs);
  if (!launch) {
    ADD_FAILURE() << launch.problems().front().message;
    return false;
  }
  return *launch->find("rules_checked")->flag();
}

TEST(LaunchResults, SayWhetherTheStacksRulesAreKnown) {
  int known = 0;
  for (const std::string_view server : server_formats) {
    // As the recipe is called, with hyphens.
    std::string recipe(server);
    for (char& letter : recipe)
      if (letter == '_') letter = '-';
    ASSERT_NE(find_recipe(recipe), nullptr) << recipe;
    const bool has_rules = rules_of(*find_recipe(recipe)) != nullptr;
    EXPECT_EQ(rules_checked(server), has_rules) << server;
    known += has_rules ? 1 : 0;
  }
  EXPECT_EQ(known, 1);
}

}  // namespace
}  // namespace commcost
