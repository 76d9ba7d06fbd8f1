#pragma once

#include <string>

namespace commcost::test {

/// Path of a file in tests/data.
std::string data_file(const std::string& name);

/// Path of a table that Python has answered while the tests were built (tests/CMakeLists.txt).
std::string oracle_file(const std::string& name);

}  // namespace commcost::test
