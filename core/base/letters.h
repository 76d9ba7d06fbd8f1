#pragma once

namespace commcost {

/// Whether a letter is one of 0 to 9.
constexpr bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

/// A letter's lower case, ASCII alone.
constexpr char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

/// A letter's upper case, ASCII alone.
constexpr char upper(char letter) {
  return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
}

/// Whether a letter is of the alphabet or a digit, ASCII alone.
constexpr bool is_alphanumeric(char letter) {
  return is_digit(letter) || lower(letter) != upper(letter);
}

/// What a letter is worth as a hexadecimal digit, 0 to 15; -1 where it is none.
constexpr int hex_digit(char letter) {
  if (is_digit(letter)) return letter - '0';
  const int worth = lower(letter) - 'a' + 10;
  return worth >= 10 && worth < 16 ? worth : -1;
}

}  // namespace commcost
