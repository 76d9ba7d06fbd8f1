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

namespace {

WireTag held_in(const ResultField& column) {
  if (column.scalar == Scalar::none || column.member == nullptr) return WireTag::list;
  if (column.kind == FieldKind::choice) return WireTag::choice;
  return column.kind == FieldKind::flag ? WireTag::yes : WireTag::number;
}

Value read_cell(WireReader& from, const ResultField& column, WireTag held) {
  if (held == WireTag::number) return from.real();
  if (held == WireTag::yes) return from.u8() != 0;
  if (held != WireTag::choice) return read_value(from, column.columns, column.choices);
  const std::uint8_t which = from.u8();
  return which < column.choices.size() ? Value(column.choices[which]) : Value();
}

Value read_rows(WireReader& from, std::span<const ResultField> columns) {
  std::vector<Value::Object> rows(from.columns());
  for (const ResultField& column : columns) {
    const WireTag held = from.column();
    for (Value::Object& row : rows) row.push_back({std::string(column.name), read_cell(from, column, held)});
  }
  Value::List list;
  for (Value::Object& row : rows) list.emplace_back(std::move(row));
  return list;
}

}  // namespace

void write_rows(std::span<const ResultField> columns, const void* rows, std::size_t count, std::size_t stride,
                WireWriter& to) {
  const std::size_t place = to.columns(count);
  for (const ResultField& column : columns) {
    const WireTag held = held_in(column);
    to.column(held);
    const char* row = static_cast<const char*>(rows);
    if (count > 0 && held != WireTag::list) row = static_cast<const char*>(column.member(row));
    for (std::size_t left = count; left > 0; --left, row += stride) {
      if (held == WireTag::list) {
        column.write(column, row, to);
      } else if (held == WireTag::number) {
        to.real(column.scalar == Scalar::real ? detail::number_as<double>(row)
                                              : number_in(column.scalar, row));
      } else {
        to.u8(static_cast<std::uint8_t>(number_in(column.scalar, row)));
      }
    }
  }
  to.end_columns(place);
}

Value read_value(WireReader& from, std::span<const ResultField> columns,
                 std::span<const std::string_view> choices) {
  if (from.next() == WireTag::columns) return read_rows(from, columns);
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
