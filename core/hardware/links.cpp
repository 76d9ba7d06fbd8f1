#include "core/hardware/links.h"

#include "core/hardware/link_rows.h"

namespace commcost {

std::span<const Link> all_links() {
  return link_rows;
}

const Link* find_link(std::string_view id) {
  for (const Link& link : link_rows) {
    if (link.id == id) return &link;
  }
  return nullptr;
}

}  // namespace commcost
