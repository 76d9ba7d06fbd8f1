#include "core/calculator/calculations.h"
#include "core/model/catalog.h"

namespace commcost::calculations {
namespace {

struct Nothing {};

struct Catalog {
  std::span<const ModelRow> models = all_models();
};

template <auto Member>
constexpr ResultField shape(std::string_view name, std::string_view help) {
  ResultField field = result<Member>(name, "", help);
  field.value = [](const ResultField&, const void* row) {
    const auto& from = static_cast<const ModelRow*>(row)->shape.*Member;
    if constexpr (std::is_same_v<detail::TypeOf<Member>, bool>) {
      return Value(from);
    } else {
      return Value(static_cast<double>(from));
    }
  };
  field.number = nullptr;
  return field;
}

constexpr ResultField columns[] = {
    result<&ModelRow::id>("id", "", "Name in links and calls"),
    result<&ModelRow::name>("name", "", "Name as written"),
    result<&ModelRow::family>("family", "", "Models listed together"),
    shape<&ModelShape::num_layers>("num_layers", "Transformer blocks"),
    shape<&ModelShape::hidden_size>("hidden_size", "Width of the residual stream"),
    shape<&ModelShape::num_heads>("num_heads", "Attention heads"),
    shape<&ModelShape::num_kv_heads>("num_kv_heads", "Key and value heads"),
    shape<&ModelShape::head_size>("head_size", "Elements of a head"),
    shape<&ModelShape::ffn_hidden_size>("ffn_hidden_size", "Inner width of the MLP, or of one expert"),
    shape<&ModelShape::gated_mlp>("gated_mlp", "Whether the MLP has a gate"),
    shape<&ModelShape::vocab_size>("vocab_size", "Rows of the embedding"),
    shape<&ModelShape::tied_embeddings>("tied_embeddings", "Whether the LM head is the embedding"),
    shape<&ModelShape::num_experts>("num_experts", "Routed experts of a layer; 1: dense"),
    shape<&ModelShape::experts_per_token>("experts_per_token", "Experts that a token visits"),
    result<&ModelRow::context_length>("context_length", "tokens", "Tokens it was made for"),
    result<&ModelRow::published_params_billion>("published_params_billion", "1e9",
                                                "Parameters, as published"),
    result<&ModelRow::source>("source", "", "Where the shape comes from"),
};

constexpr ResultField results[] = {rows_result<&Catalog::models>("models", columns, "Published models")};

Outcome<Catalog> read(const Nothing&) {
  return Catalog{};
}

}  // namespace

const Calculation model_catalog = unswept_calculation<Nothing, Catalog, read, results>(
    "model_catalog", "Shapes of published models, each with its source", {});

}  // namespace commcost::calculations
