#pragma once

#include <vector>

namespace commcost::steps {

/// 0 for none.
double mean(const std::vector<double>& values);

/// 0 for none.
double median(std::vector<double> values);

/// Between the two nearest values; NaN for none.
double quantile(std::vector<double> values, double share);

/// Spearman's rank correlation, ties with their mean rank; 0 where one of the two is constant.
double rank_correlation(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace commcost::steps
