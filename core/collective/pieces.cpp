#include "core/collective/pieces.h"

#include <algorithm>
#include <cmath>

namespace commcost {

int best_pieces(const Method& method, Group group, double message_size_bytes, const HockneyMachine& machine) {
  if (group.ranks == 1) return 1;
  const auto time = [&](int pieces) {
    group.pieces = pieces;
    return hockney(counts_of(method, group), message_size_bytes, machine).total_us();
  };
  // Every pipeline's time has the form a + b·k + c/k. Three times determine b and c; it is least at
  // sqrt(c/b).
  const double one = time(1);
  const double two = time(2);
  const double four = time(4);
  const double c = ((one - two) * 2 - (two - four)) * 4 / 3;
  const double b = two - one + c / 2;
  const auto most = static_cast<int>(std::clamp(message_size_bytes, 1.0, static_cast<double>(most_pieces)));
  if (!(c > 0)) return 1;
  if (!(b > 0) || c / b >= static_cast<double>(most) * most) return most;
  const int below = std::clamp(static_cast<int>(std::sqrt(c / b)), 1, most);
  const int above = std::min(below + 1, most);
  return time(above) < time(below) ? above : below;
}

Group with_pieces(const Method& method, Group group, double message_size_bytes,
                  const HockneyMachine& machine) {
  if (!method.pipelined) {
    group.pieces = 1;
  } else if (group.pieces == 0) {
    group.pieces = best_pieces(method, group, message_size_bytes, machine);
  }
  return group;
}

}  // namespace commcost
