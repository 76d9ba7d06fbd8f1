#include "support/random_inputs.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "support/typical_inputs.h"

namespace commcost::test {
namespace {

// Compilers evaluate operands in different orders: every draw is a separate statement.

// A number from 1 to `greatest`, each power of two as likely as any other: no libm, whose last bit differs.
double spread(double greatest, Random& random) {
  const int power = random.below(std::ilogb(greatest) + 1);
  const double fraction = random.unit();
  return std::min(std::ldexp(1 + fraction, power), greatest);
}

double random_whole(const Field& field, Random& random) {
  const double width = field.greatest - field.least;
  if (width < 1 || random.one_in(12)) return random.one_in(2) ? field.least : field.greatest;
  double number = std::trunc(spread(width + 1, random));
  if (random.one_in(2)) number = std::ldexp(1, std::ilogb(number));  // most sizes are powers of two
  return std::clamp(number, field.least, field.greatest);
}

double random_real(const Field& field, Random& random) {
  if (random.one_in(12)) return random.one_in(2) ? field.least : field.greatest;
  const double number = spread(std::max(2.0, field.greatest), random);
  return std::clamp(random.one_in(4) ? number * 0x1p-10 : number, field.least, field.greatest);
}

Value refused_value(Random& random) {
  static const Value refused[] = {
      {},
      -1,
      1.5,
      1e300,
      std::numeric_limits<double>::quiet_NaN(),
      std::numeric_limits<double>::infinity(),
      "8",
      true,
      Value::Numbers{1, 2},
      Value::Object{},
  };
  return refused[random.below(std::size(refused))];
}

}  // namespace

Value random_value(const Field& field, Random& random) {
  if (random.one_in(50)) return refused_value(random);
  switch (field.kind) {
    case FieldKind::whole:
      return random_whole(field, random);
    case FieldKind::real:
      return random_real(field, random);
    case FieldKind::choice:
      return field.choices[random.below(field.choices.size())];
    case FieldKind::flag:
      return random.one_in(2);
    default:
      return typical_value(field);
  }
}

Value::Object random_inputs(const Calculation& calculation, Random& random) {
  Value::Object inputs;
  const int seldom = 1 + random.below(12);  // some calls change everything, some almost nothing
  for (const FieldGroup& group : calculation.inputs) {
    for (const InputField& input : group.fields) {
      const Field& field = asked_for(calculation, input.field);
      // Many pins at once contradict each other.
      const bool left_out = is_pin(field) ? !random.one_in(8) : random.one_in(4);
      if (!field.required && left_out) continue;
      inputs.push_back({std::string(field.name),
                        random.one_in(seldom) ? random_value(field, random) : typical_value(field)});
    }
  }
  if (random.one_in(200)) inputs.push_back({"unheard_of", 1});
  return inputs;
}

}  // namespace commcost::test
