#include "support/files.h"

namespace commcost::test {

std::string data_file(const std::string& name) {
  return COMMCOST_TEST_DATA "/" + name;
}

std::string oracle_file(const std::string& name) {
  return COMMCOST_ORACLES "/" + name;
}

}  // namespace commcost::test
