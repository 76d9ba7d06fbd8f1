#pragma once

#include <utility>
#include <vector>

#include "core/base/statistics.h"

namespace commcost::validation {

/// 0 for none.
double mean(const std::vector<double>& values);

/// Spearman's rank correlation, ties with their mean rank; 0 where one of the two is constant.
double rank_correlation(const std::vector<double>& a, const std::vector<double>& b);

/// The quantile of values that weigh differently: the first at which that share of all weight is reached.
double weighted_quantile(std::vector<std::pair<double, double>> values_and_weights, double share);

/// Errors ln(predicted / measured) as people say them: how far off the predictions are, percent.
std::vector<double> percents_off(const std::vector<double>& log_errors);

}  // namespace commcost::validation
