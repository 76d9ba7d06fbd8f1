// The reader of JSON on anything: what it reads, written out and read again, is the same; what it refuses, it
// explains.

#include "core/logs/json.h"

#include <cmath>
#include <cstdint>
#include <set>
#include <string>

#include "core/base/wire.h"
#include "fuzz/require.h"

namespace commcost::fuzz {
namespace {

std::string quoted(const std::string& text) {
  constexpr char hexadecimal[] = "0123456789abcdef";
  std::string all = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') all += '\\';
    if (static_cast<unsigned char>(c) >= 0x20) {
      all += c;
    } else {
      all += std::string("\\u00") + hexadecimal[c >> 4] + hexadecimal[c & 15];
    }
  }
  return all + "\"";
}

std::string written(const Value& value) {
  if (value.empty()) return "null";
  if (const std::string* text = value.text()) return quoted(*text);
  std::string all;
  if (const Value::List* list = value.list()) {
    for (const Value& one : *list) all += (all.empty() ? "" : ",") + written(one);
    return "[" + all + "]";
  }
  if (const Value::Object* members = value.object()) {
    std::set<std::string> names;
    for (const auto& [name, one] : *members) {
      require(names.insert(name).second);
      all += (all.empty() ? "" : ",") + quoted(name) + ":" + written(one);
    }
    return "{" + all + "}";
  }
  if (const double* number = value.number()) {
    require(std::isfinite(*number));
    if (*number == 0 && std::signbit(*number)) return "-0";
  }
  return text_of(value);
}

WireBytes bytes_of(const Value& value) {
  WireBytes bytes;
  WireWriter(bytes).value(value);
  return bytes;
}

void read(std::string_view text) {
  const Outcome<Value> value = parse_json("config", text);
  if (!value) {
    require(value.problems().size() == 1 && !value.problems().front().message.empty());
    return;
  }
  const Outcome<Value> again = parse_json("config", written(*value));
  require(again && bytes_of(*again) == bytes_of(*value));
}

}  // namespace
}  // namespace commcost::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  commcost::fuzz::read({reinterpret_cast<const char*>(data), size});
  return 0;
}
