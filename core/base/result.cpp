#include "core/base/result.h"

#include <utility>

namespace commcost {

namespace detail {

void write_number(const ResultField& field, double number, WireWriter& to) {
  if (field.kind == FieldKind::choice) return to.choice(static_cast<std::uint8_t>(number));
  if (field.kind == FieldKind::flag) return to.flag(number != 0);
  to.number(number);
}

void write_scalar(const ResultField& field, const void* results, WireWriter& to) {
  write_number(field, number_in(field.scalar, field.member(results)), to);
}

}  // namespace detail

const ResultField* write_row(std::span<const ResultField> fields, const void* results, WireWriter& to) {
  const ResultField* first = nullptr;
  to.row();
  for (const ResultField& field : fields) {
    field.write(field, results, to);
    if (first == nullptr && !to.finite()) first = &field;
  }
  return first;
}

Value read_value(WireReader& from, std::span<const ResultField> columns,
                 std::span<const std::string_view> choices) {
  if (from.next() == WireTag::choice) {
    const std::size_t which = from.choice();
    return which < choices.size() ? Value(choices[which]) : Value();
  }
  if (from.next() == WireTag::list) {
    Value::List list;
    for (std::size_t left = from.list(); left > 0; --left) list.push_back(read_value(from, columns));
    return list;
  }
  if (from.next() == WireTag::noted) {
    from.row();
    Value notes = from.value();
    const Value noted = read_value(from, columns);
    Value::Object members = noted.object() == nullptr ? Value::Object() : *noted.object();
    members.push_back({"notes", std::move(notes)});
    return members;
  }
  if (from.next() != WireTag::row) return from.value();
  from.row();
  Value::Object members;
  for (const ResultField& column : columns) {
    members.push_back({std::string(column.name), read_value(from, column.columns, column.choices)});
  }
  return members;
}

Value value_of(std::span<const ResultField> fields, const void* results) {
  WireBytes wire;
  WireWriter to(wire);
  write_row(fields, results, to);
  WireReader from(wire);
  return read_value(from, fields);
}

}  // namespace commcost
