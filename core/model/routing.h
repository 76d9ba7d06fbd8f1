#pragma once

namespace commcost {

/// How many of `experts` experts `tokens` tokens visit between them, if each visits `visits` of `of_all`, all
/// equally likely: experts (1 - (1 - visits / of_all)^tokens), its expectation; never more than there are,
/// nor than there are visits to them.
double experts_met(double experts, double tokens, double visits, double of_all);

}  // namespace commcost
