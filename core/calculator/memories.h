#pragma once

#include <memory>
#include <utility>
#include <vector>

namespace commcost {

/// What calculations remember from run to run, one memory of each type: those that remember alike share it.
class Memories {
 public:
  /// The memory of that type, for as long as it is held.
  template <class Memory>
  std::shared_ptr<Memory> of() {
    for (const auto& [type, memory] : by_type_) {
      if (type == &tag<Memory>) return std::static_pointer_cast<Memory>(memory);
    }
    auto memory = std::make_shared<Memory>();
    by_type_.emplace_back(&tag<Memory>, memory);
    return memory;
  }

 private:
  // Its address tells the type from others.
  template <class>
  static constexpr char tag = 0;

  std::vector<std::pair<const char*, std::shared_ptr<void>>> by_type_;
};

}  // namespace commcost
