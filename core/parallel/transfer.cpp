#include "core/parallel/transfer.h"

namespace commcost {

bool takes_part(Stages stages, bool is_first, bool is_last) {
  switch (stages) {
    case Stages::all:
      return true;
    case Stages::first:
      return is_first;
    case Stages::last:
      return is_last;
    case Stages::first_and_last:
      return is_first || is_last;
    case Stages::all_but_first:
      return !is_first;
    case Stages::all_but_last:
      return !is_last;
  }
  return true;
}

}  // namespace commcost
