#include "core/model/catalog.h"

#include "core/base/name_list.h"
#include "core/model/model_rows.h"

namespace commcost {

MatmulPrecision hub_products(const ModelRow& model) {
  return model.hub_weight_bytes == 1 ? MatmulPrecision::fp8 : MatmulPrecision::stored;
}

std::span<const ModelRow> all_models() {
  return model_rows;
}

const ModelRow* find_model(std::string_view id) {
  for (const ModelRow& model : model_rows) {
    if (model.id == id) return &model;
  }
  return nullptr;
}

const ModelRow* find_model_of_hub(std::string_view repository) {
  for (const ModelRow& model : model_rows) {
    if (names_one_of(model.hub_ids, repository)) return &model;
  }
  return nullptr;
}

const ModelRow* find_model_of_copy(std::string_view name) {
  for (const ModelRow& model : model_rows) {
    for (std::string_view ids = model.hub_ids; !ids.empty(); ids = names_behind_first(ids)) {
      const std::string_view id = first_name(ids);
      if (names_one_of(id.substr(id.find('/') + 1), name)) return &model;
    }
  }
  return nullptr;
}

}  // namespace commcost
