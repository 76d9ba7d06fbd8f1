#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/calculator/calculation.h"

namespace commcost {

/// A calculation whose inputs are read once and then changed one by one. Each run returns what a call with
/// everything given so far would: results, or every problem.
class Prepared {
 public:
  Prepared(const Calculation& calculation, WireReader inputs);
  /// The same by a worker of the calculation, opened for this.
  Prepared(const Calculation& calculation, WireReader inputs, std::unique_ptr<Worker> worker);

  /// Gives an input another value, as it was written; an empty one removes it. Returns whether that is a
  /// change.
  bool set(std::string_view name, std::string_view value);
  /// The same with a number, for the field at that place.
  bool set(std::size_t place, double number);

  /// Writes the results as a row of their table.
  Problems run(WireWriter& results);

  /// How often all inputs were read and checked: once, and again whenever a preset, a former name or a bad
  /// value was given, or an input was removed.
  int readings() const { return readings_; }

 private:
  struct Given {
    std::string name;
    std::size_t place;  // of its field; the number of places where there is none
    std::string value;
  };

  Given* find(std::string_view name);
  bool read_alone(const Given& given);
  void read_all();

  const Calculation& calculation_;
  const FieldIndex& fields_;
  std::vector<Given> given_;
  std::size_t left_out_ = 0;
  std::string no_object_;  // what was given in place of inputs
  bool read_ = false;      // whether the worker has all that is given
  std::unique_ptr<Worker> worker_;
  Notes notes_;
  Problems problems_;
  int readings_ = 0;
};

}  // namespace commcost
