#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace commcost {

/// How a struct's member holds a number, a flag or a choice: one function reads them all, one writes them,
/// where a function for each member would be half of the WebAssembly module and a call through a pointer.
enum class Scalar : std::uint8_t { none, flag, int8, uint8, int32, uint32, int64, uint64, real };

/// How `Type` does; none where it holds something else.
template <class Type>
constexpr Scalar scalar_of() {
  if constexpr (std::is_same_v<Type, bool>) {
    return Scalar::flag;
  } else if constexpr (std::is_enum_v<Type>) {
    return scalar_of<std::underlying_type_t<Type>>();
  } else if constexpr (std::is_integral_v<Type>) {
    static_assert(sizeof(Type) == 1 || sizeof(Type) == 4 || sizeof(Type) == 8);
    constexpr bool is_signed = std::is_signed_v<Type>;
    if constexpr (sizeof(Type) == 1) return is_signed ? Scalar::int8 : Scalar::uint8;
    if constexpr (sizeof(Type) == 4) return is_signed ? Scalar::int32 : Scalar::uint32;
    return is_signed ? Scalar::int64 : Scalar::uint64;
  } else {
    static_assert(!std::is_floating_point_v<Type> || std::is_same_v<Type, double>);
    return std::is_same_v<Type, double> ? Scalar::real : Scalar::none;
  }
}

namespace detail {

// By memcpy: an enum is not the whole number that holds it.
template <class Type>
double number_as(const void* member) {
  Type value;
  std::memcpy(&value, member, sizeof value);
  return static_cast<double>(value);
}

template <class Type>
void put_as(void* member, double number) {
  const auto value = static_cast<Type>(number);
  std::memcpy(member, &value, sizeof value);
}

}  // namespace detail

/// The number in a member; a flag's is 0 or 1, a choice's its index.
inline double number_in(Scalar scalar, const void* member) {
  switch (scalar) {
    case Scalar::real:
      return detail::number_as<double>(member);
    case Scalar::int64:
      return detail::number_as<std::int64_t>(member);
    case Scalar::int32:
      return detail::number_as<std::int32_t>(member);
    case Scalar::flag:
      return detail::number_as<bool>(member);
    case Scalar::int8:
      return detail::number_as<std::int8_t>(member);
    case Scalar::uint8:
      return detail::number_as<std::uint8_t>(member);
    case Scalar::uint32:
      return detail::number_as<std::uint32_t>(member);
    case Scalar::uint64:
      return detail::number_as<std::uint64_t>(member);
    case Scalar::none:
      break;
  }
  return 0;
}

/// Puts a number that the member can hold into it.
inline void put_number(Scalar scalar, void* member, double number) {
  switch (scalar) {
    case Scalar::real:
      return detail::put_as<double>(member, number);
    case Scalar::int64:
      return detail::put_as<std::int64_t>(member, number);
    case Scalar::int32:
      return detail::put_as<std::int32_t>(member, number);
    case Scalar::flag:
      return detail::put_as<bool>(member, number);
    case Scalar::int8:
      return detail::put_as<std::int8_t>(member, number);
    case Scalar::uint8:
      return detail::put_as<std::uint8_t>(member, number);
    case Scalar::uint32:
      return detail::put_as<std::uint32_t>(member, number);
    case Scalar::uint64:
      return detail::put_as<std::uint64_t>(member, number);
    case Scalar::none:
      break;
  }
}

}  // namespace commcost
