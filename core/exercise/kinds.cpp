#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "core/exercise/kind.h"

// One paragraph for each kind of exercise. GB and MB are powers of ten, MiB of two; rates are one way, per
// GPU.

namespace commcost {
namespace {

using In = ExerciseValues;

constexpr double mib = 1048576;
constexpr double groups[] = {4, 8};
constexpr double odd_groups[] = {5, 6, 7, 12, 16, 24};
constexpr double round_links[] = {100, 200, 300, 400};
constexpr double real_links[] = {150, 300, 450, 900};  // NVLink 2 to 5
constexpr double round_mib[] = {64, 128, 256, 512};
constexpr double real_mib[] = {20, 48, 80, 144, 336};
constexpr double widths[] = {1024, 2048, 4096, 8192};
constexpr double real_widths[] = {3584, 5120, 6144, 12288, 16384};
constexpr double tokens[] = {1024, 2048, 4096, 8192};
constexpr double real_tokens[] = {3072, 6144, 12288, 24576};

// Of the second edition: enough for sixty different exercises and more.
constexpr double more_groups[] = {4, 8, 16, 32};
// Not six: of what goes round a ring, n / (n - 1) would be a fifth too much, which may have many reasons.
constexpr double more_odd_groups[] = {5, 7, 10, 12, 16, 24};
constexpr double more_mib[] = {16,  24,  32,  40,  48,  64,  80,  96,  112, 128,
                               160, 192, 224, 256, 320, 384, 448, 512, 640, 768};
constexpr double more_real_mib[] = {20, 28, 36, 48, 56, 72, 80, 144, 168, 200, 336, 432};
constexpr double more_tokens[] = {512, 1024, 2048, 4096, 8192, 16384};

// A judgement has two answers: the number of the right one, from 1, and the other.
constexpr double chosen(bool first) {
  return first ? 1 : 2;
}
constexpr double other_of(double choice) {
  return 3 - choice;
}
bool well_apart(double a, double b) {
  return std::fabs(a - b) > 0.1 * std::fmax(a, b);
}

// The ring itself.
constexpr ExerciseInput more_ring_inputs[] = {{"n", "GPUs", "", more_groups, more_odd_groups},
                                              {"s", "Message", "MiB", more_mib, more_real_mib}};
constexpr ExerciseInput ring_inputs[] = {{"n", "GPUs", "", groups, odd_groups},
                                         {"s", "Message", "MiB", round_mib, real_mib}};
constexpr ExerciseResult ring_results[] = {
    {"rounds", "Rounds", "", [](In in, In) { return 2 * (in[0] - 1); },
     "A sum has to visit every other GPU once to be complete, and once more to be known everywhere.",
     "2(n − 1)", "2 · ({n} − 1)"},
    {"chunk_mib", "Sent by a GPU in one round", "MiB", [](In in, In) { return in[1] / in[0]; },
     "The message is cut into one chunk for each GPU, and in a round each GPU passes one of them on.",
     "s / n", "{s} / {n}"},
    {"sent_mib", "Sent by a GPU in all rounds", "MiB", [](In, In before) { return before[0] * before[1]; },
     "It sends one chunk in every round.", "rounds · chunk", "2 · ({n} − 1) · {s} / {n}"}};
constexpr ExerciseMistake ring_mistakes[] = {
    {0, "that is one lap: adding up alone, without handing the sums round",
     [](In in, In) { return in[0] - 1; }},
    {0, "a chunk is where it belongs after n − 1 rounds, not n", [](In in, In) { return 2 * in[0]; }},
    {0, "that is one round for each GPU", [](In in, In) { return in[0]; }},
    {1, "the whole message does not go in one round", [](In in, In) { return in[1]; }},
    {1, "the message has n chunks, one of them the GPU’s own", [](In in, In) { return in[1] / (in[0] - 1); }},
    {2, "that is one of two laps", [](In, In before) { return before[0] * before[1] / 2; }},
    {2, "that is what all GPUs send together",
     [](In in, In before) { return before[0] * before[1] * in[0]; }}};

// NVLink utilization, from what nccl-tests would have timed.
constexpr double reached[] = {0.5, 0.6, 0.75, 0.8};
constexpr double real_reached[] = {0.42, 0.57, 0.68, 0.77, 0.86};
constexpr ExerciseInput utilization_inputs[] = {
    {"n", "GPUs", "", groups, odd_groups},
    {"s", "Message", "MiB", round_mib, real_mib},
    {"b", "Link, one way", "GB/s", round_links, real_links},
    {"t", "Measured time", "µs", reached, real_reached, [](In in, double share) {
       return std::round(in[1] * mib * 2 * (in[0] - 1) / in[0] / (in[2] * 1e3) / share);
     }}};
constexpr ExerciseResult utilization_results[] = {
    {"algorithm_bandwidth", "Algorithm bandwidth", "GB/s",
     [](In in, In) { return in[1] * mib / (in[3] * 1e3); },
     "Bytes of the message over the time that the call took.", "s / t",
     "{s} · 2²⁰ bytes / {t} µs, over 1,000 for GB/s"},
    {"bus_bandwidth", "Bus bandwidth", "GB/s",
     [](In in, In before) { return before[0] * 2 * (in[0] - 1) / in[0]; },
     "What really went over each GPU’s link: more than the message.", "2(n − 1)/n · algorithm bandwidth",
     "2 · ({n} − 1) / {n} · algorithm bandwidth"},
    {"utilization", "Utilization of the link", "%", [](In in, In before) { return before[1] / in[2] * 100; },
     "The traffic on the link over what the link can carry.", "bus bandwidth / b · 100",
     "bus bandwidth / {b} · 100"}};
constexpr ExerciseMistake utilization_mistakes[] = {
    {0, "a MiB is 2²⁰ bytes, not a million", [](In in, In) { return in[1] * 1e3 / in[3]; }},
    {0, "that is in gigabits", [](In in, In) { return in[1] * mib / (in[3] * 1e3) * 8; }},
    {1, "that counts one lap of the ring", [](In in, In before) { return before[0] * (in[0] - 1) / in[0]; }},
    {1, "a GPU does not send itself its own share", [](In, In before) { return before[0] * 2; }},
    {2, "algorithm bandwidth says nothing of the link: take bus bandwidth",
     [](In in, In before) { return before[0] / in[2] * 100; }},
    {2, "that is a fraction; percent are asked for", [](In in, In before) { return before[1] / in[2]; }},
    {2, "the link’s rate is one way already", [](In in, In before) { return before[1] / in[2] * 50; }}};

// The same from a line of nccl-tests, asking for its last columns. Only a switch that adds gets above the
// link's rate, which NVLink has from its fourth generation on.
constexpr double least_of_adding_switch = 450;
constexpr double line_links[] = {200, 300, 450, 900};
constexpr double line_groups[] = {4, 8};
constexpr double line_shares[] = {0.5, 0.6, 0.75, 0.8, 1.05, 1.08, 1.12};
constexpr double real_line_shares[] = {0.42, 0.57, 0.68, 0.77, 0.86, 1.04, 1.07, 1.12};
constexpr ExerciseInput line_inputs[] = {
    {"n", "GPUs", "", line_groups, line_groups},
    {"s", "Message", "MiB", more_mib, more_real_mib},
    {"b", "Link, one way", "GB/s", line_links, real_links},
    {"t", "Measured time", "µs", line_shares, real_line_shares, utilization_inputs[3].made}};
double share_of_link(In in) {
  return in[1] * mib * 2 * (in[0] - 1) / in[0] / (in[3] * 1e3) / in[2];
}
constexpr std::string_view line_choices[] = {"yes, GPUs that add can do this",
                                             "no, only with a switch that adds (NVLS)"};
constexpr ExerciseResult line_results[] = {
    {"algorithm_bandwidth", "algbw", "GB/s", utilization_results[0].value,
     "Bytes of the message over the time that the call took.", "s / t",
     "{s} · 2²⁰ bytes / {t} µs, over 1,000 for GB/s"},
    {"bus_bandwidth", "busbw", "GB/s", utilization_results[1].value,
     "What a ring would have to move over each GPU’s link in that time: more than the message.",
     "2(n − 1)/n · algbw", "2 · ({n} − 1) / {n} · algbw"},
    {"utilization", "busbw over the link’s rate", "%", utilization_results[2].value,
     "The traffic on the link over what the link can carry.", "busbw / b · 100", "busbw / {b} · 100"},
    {"switch", "Can these links do that by themselves?", "",
     [](In, In before) { return chosen(before[2] <= 100); },
     "busbw counts what GPUs would send that add the numbers themselves. A link cannot carry more than its "
     "rate; where a switch adds, less travels than busbw counts.",
     "more than 100 %: the switch adds", "100 % or less: the links alone; more: the switch adds",
     line_choices}};
constexpr ExerciseMistake line_mistakes[] = {
    utilization_mistakes[0],
    utilization_mistakes[1],
    utilization_mistakes[2],
    utilization_mistakes[3],
    {2, "algbw says nothing of the link: take busbw", utilization_mistakes[4].value},
    utilization_mistakes[5],
    utilization_mistakes[6],
    {3, "compare busbw with the link’s rate: above it, fewer bytes must have travelled",
     [](In in, In) { return other_of(chosen(share_of_link(in) <= 1)); }}};

// Communication to computation of one MLP.
constexpr double round_peaks[] = {100, 200, 400, 500};
constexpr double real_peaks[] = {312, 989, 2250};  // dense BF16 of A100, H100, B200
constexpr ExerciseInput ratio_inputs[] = {{"tokens", "Tokens per micro-batch", "", tokens, real_tokens},
                                          {"h", "Hidden size", "", widths, real_widths},
                                          {"n", "GPUs", "", groups, odd_groups},
                                          {"peak", "Peak of a GPU", "TFLOP/s", round_peaks, real_peaks},
                                          {"b", "Link, one way", "GB/s", round_links, real_links}};
constexpr ExerciseResult ratio_results[] = {
    {"compute_us", "Compute", "µs",
     [](In in, In) { return 16 * in[0] * in[1] * in[1] / in[2] / (in[3] * 1e6); },
     "Two matrices, h by 4h and 4h by h, are multiplied with every token; a multiplication and an addition "
     "are two FLOPs; each GPU has an n-th of it.",
     "2 · tokens · 8h² / n over the peak", "16 · {tokens} · {h}² / {n} / ({peak} · 10⁶ FLOPs a µs)"},
    {"communication_us", "Communication", "µs",
     [](In in, In) { return 2 * (in[2] - 1) / in[2] * in[0] * in[1] * 2 / (in[4] * 1e3); },
     "Afterwards one all-reduce adds up the outputs, h numbers of two bytes for each token.",
     "2(n − 1)/n · tokens · h · 2 over b",
     "2 · ({n} − 1) / {n} · {tokens} · {h} · 2 / ({b} · 10³ bytes a µs)"},
    {"ratio", "Communication over computation", "", [](In, In before) { return before[1] / before[0]; },
     "Above 1 the GPU waits longer than it computes.", "communication / compute", "communication / compute"}};
double half_the_work(In in, In) {
  return ratio_results[0].value(in, nullptr) / 2;
}
constexpr ExerciseMistake ratio_mistakes[] = {
    {0, "a multiplication and an addition are two FLOPs", half_the_work, true},
    {0, "there are two matrices", half_the_work, true},
    {0, "the work is divided by the GPUs",
     [](In in, In) { return 16 * in[0] * in[1] * in[1] / (in[3] * 1e6); }},
    {0, "each matrix is four times h by h",
     [](In in, In) { return 4 * in[0] * in[1] * in[1] / in[2] / (in[3] * 1e6); }},
    {1, "elements were counted, not bytes",
     [](In in, In) { return 2 * (in[2] - 1) / in[2] * in[0] * in[1] / (in[4] * 1e3); }, true},
    {1, "that is one lap of the ring: the factor 2 is missing",
     [](In in, In) { return (in[2] - 1) / in[2] * in[0] * in[1] * 2 / (in[4] * 1e3); }, true},
    {1, "the activations that are added up are h wide, not 4h",
     [](In in, In) { return 2 * (in[2] - 1) / in[2] * in[0] * in[1] * 8 / (in[4] * 1e3); }},
    {1, "each GPU’s partial sums are as large as the whole output: nothing is divided by n",
     [](In in, In) { return 2 * (in[2] - 1) / in[2] * in[0] * in[1] * 2 / in[2] / (in[4] * 1e3); }},
    {2, "that is the other way round", [](In, In before) { return before[0] / before[1]; }}};

constexpr std::string_view ratio_choices[] = {"it waits longer", "it computes longer"};
double waits_over_computes(In in) {
  return ratio_results[1].value(in, nullptr) / ratio_results[0].value(in, nullptr);
}
constexpr ExerciseResult judged_ratio_results[] = {
    ratio_results[0],
    ratio_results[1],
    ratio_results[2],
    {"longer", "Does a GPU wait longer than it computes?", "",
     [](In, In before) { return chosen(before[2] > 1); }, "The ratio says it: compare it with 1.",
     "ratio > 1: it waits longer", "ratio > 1: it waits longer", ratio_choices}};
constexpr ExerciseMistake judged_ratio_mistakes[] = {
    ratio_mistakes[0],
    ratio_mistakes[1],
    ratio_mistakes[2],
    ratio_mistakes[3],
    ratio_mistakes[4],
    ratio_mistakes[5],
    ratio_mistakes[6],
    ratio_mistakes[7],
    ratio_mistakes[8],
    {3, "compare the two times: the ratio is waiting over computing",
     [](In in, In) { return other_of(chosen(waits_over_computes(in) > 1)); }}};

// Columns, then rows.
constexpr ExerciseInput split_inputs[] = {{"tokens", "Tokens per micro-batch", "", tokens, real_tokens},
                                          {"h", "Hidden size", "", widths, real_widths},
                                          {"n", "GPUs", "", groups, odd_groups}};
constexpr ExerciseInput more_split_inputs[] = {
    {"tokens", "Tokens per micro-batch", "", more_tokens, real_tokens},
    {"h", "Hidden size", "", widths, real_widths},
    {"n", "GPUs", "", more_groups, odd_groups}};
constexpr ExerciseResult split_results[] = {
    {"weights_mb", "Weights of both matrices on a GPU", "MB",
     [](In in, In) { return 16 * in[1] * in[1] / in[2] / 1e6; },
     "The first matrix is cut by columns, the second by rows: each GPU has an n-th of both.",
     "2 · 8h² / n bytes", "2 · 8 · {h}² / {n} / 10⁶"},
    {"between_mb", "Activations between the two, on a GPU", "MB",
     [](In in, In) { return 8 * in[0] * in[1] / in[2] / 1e6; },
     "A GPU with an n-th of the columns makes an n-th of the 4h outputs, and its rows of the second matrix "
     "need just these: nothing is sent.",
     "tokens · 4h / n · 2 bytes", "{tokens} · 4 · {h} / {n} · 2 / 10⁶"},
    {"summed_mb", "Message of the all-reduce afterwards", "MB",
     [](In in, In) { return 2 * in[0] * in[1] / 1e6; },
     "Rows of the second matrix give every GPU a partial sum of all outputs.", "tokens · h · 2 bytes",
     "{tokens} · {h} · 2 / 10⁶"}};
constexpr ExerciseMistake split_mistakes[] = {
    {0, "that is the whole of both matrices", [](In in, In) { return 16 * in[1] * in[1] / 1e6; }},
    {0, "there are two matrices", [](In in, In) { return 8 * in[1] * in[1] / in[2] / 1e6; }, true},
    {0, "elements were counted, not bytes", [](In in, In) { return 8 * in[1] * in[1] / in[2] / 1e6; }, true},
    {1, "each GPU makes only its own columns’ outputs", [](In in, In) { return 8 * in[0] * in[1] / 1e6; }},
    {1, "between the matrices activations are 4h wide",
     [](In in, In) { return 2 * in[0] * in[1] / in[2] / 1e6; }},
    {1, "elements were counted, not bytes", [](In in, In) { return 4 * in[0] * in[1] / in[2] / 1e6; }},
    {2, "partial sums are as large as the output: nothing is divided by n",
     [](In in, In) { return 2 * in[0] * in[1] / in[2] / 1e6; }},
    {2, "the output is h wide again, not 4h", [](In in, In) { return 8 * in[0] * in[1] / 1e6; }},
    {2, "elements were counted, not bytes", [](In in, In) { return in[0] * in[1] / 1e6; }}};

// Latency and bandwidth of a small message.
constexpr double latencies[] = {2, 4, 5, 10};
constexpr double real_latencies[] = {1.5, 3.5, 6.5, 8.5};
constexpr double small_kib[] = {64, 256, 512, 1024};
constexpr double real_small_kib[] = {40, 112, 448, 896};
constexpr ExerciseInput latency_inputs[] = {{"n", "GPUs", "", groups, odd_groups},
                                            {"s", "Message", "KiB", small_kib, real_small_kib},
                                            {"a", "Latency of a round", "µs", latencies, real_latencies},
                                            {"b", "Link, one way", "GB/s", round_links, real_links}};
constexpr ExerciseResult latency_results[] = {
    {"latency_us", "Waiting for latency", "µs", [](In in, In) { return 2 * (in[0] - 1) * in[2]; },
     "Every round of the ring waits once, however little it carries.", "2(n − 1) · a", "2 · ({n} − 1) · {a}"},
    {"transfer_us", "Moving bytes", "µs",
     [](In in, In) { return 2 * (in[0] - 1) / in[0] * in[1] * 1024 / (in[3] * 1e3); },
     "The bytes of all rounds over the link’s rate.", "2(n − 1)/n · s / b",
     "2 · ({n} − 1) / {n} · {s} · 1024 / ({b} · 10³ bytes a µs)"},
    {"even_kib", "Message for which both take equally long", "KiB",
     [](In in, In) { return in[0] * in[2] * in[3] * 1e3 / 1024; },
     "Set the two equal: the rounds cancel out, one chunk must take as long to send as a round waits.",
     "n · a · b", "{n} · {a} µs · {b} · 10³ bytes a µs / 1024"}};
constexpr ExerciseMistake latency_mistakes[] = {
    {0, "every round waits, not the call once", [](In in, In) { return in[2]; }},
    {0, "that is one lap of the ring", [](In in, In) { return (in[0] - 1) * in[2]; }},
    {1, "that is one lap of the ring",
     [](In in, In) { return (in[0] - 1) / in[0] * in[1] * 1024 / (in[3] * 1e3); }},
    {1, "that is the whole message in every round",
     [](In in, In) { return 2 * (in[0] - 1) * in[1] * 1024 / (in[3] * 1e3); }},
    {2, "a message has n chunks: this is the size of one",
     [](In in, In) { return in[2] * in[3] * 1e3 / 1024; }}};

// Messages from far below the even size to far above it, so that neither answer goes without saying.
constexpr double any_kib[] = {64, 256, 1024, 4096, 16384, 65536};
constexpr double any_real_kib[] = {448, 3584, 14336, 57344, 114688, 229376, 458752};
constexpr ExerciseInput any_latency_inputs[] = {
    latency_inputs[0], {"s", "Message", "KiB", any_kib, any_real_kib}, latency_inputs[2], latency_inputs[3]};
constexpr std::string_view latency_choices[] = {"waiting for latency", "moving bytes"};
bool waits_for_latency(In in) {
  return in[0] * in[2] * in[3] * 1e3 > in[1] * 1024;
}
constexpr ExerciseResult judged_latency_results[] = {
    latency_results[0],
    latency_results[1],
    latency_results[2],
    {"longer", "Which takes longer?", "", [](In, In before) { return chosen(before[0] > before[1]); },
     "Compare the two times; a message below the even size waits longer than it moves.",
     "s < n · a · b: latency", "{s} KiB against the even size", latency_choices}};
constexpr ExerciseMistake judged_latency_mistakes[] = {
    latency_mistakes[0],
    latency_mistakes[1],
    latency_mistakes[2],
    latency_mistakes[3],
    latency_mistakes[4],
    {3, "compare the two times that you have worked out",
     [](In in, In) { return other_of(chosen(waits_for_latency(in))); }}};

// The node's border.
constexpr double nics[] = {100, 200, 400, 800};
constexpr ExerciseInput border_inputs[] = {
    {"s", "Message", "MiB", round_mib, real_mib},
    {"b", "Link in the node, one way", "GB/s", round_links, real_links},
    {"nic", "Network card of each GPU", "Gb/s", nics, nics}};
constexpr ExerciseResult border_results[] = {
    {"inside_us", "Ring of the 8 GPUs of a node", "µs",
     [](In in, In) { return 1.75 * in[0] * mib / (in[1] * 1e3); },
     "All hops of the ring are links in the node.", "2 · 7/8 · s / b", "1.75 · {s} · 2²⁰ / ({b} · 10³)"},
    {"across_us", "Ring of the 16 GPUs of two nodes", "µs",
     [](In in, In) { return 1.875 * in[0] * mib / (in[2] / 8 * 1e3); },
     "Every chunk passes every hop, and a ring is as fast as its slowest one: the network. Bits, not bytes.",
     "2 · 15/16 · s / (nic / 8)", "1.875 · {s} · 2²⁰ / ({nic} / 8 · 10³)"},
    {"times", "How many times as long", "", [](In, In before) { return before[1] / before[0]; },
     "This is the cliff at the node’s border.", "across / inside", "across / inside"}};
constexpr ExerciseMistake border_mistakes[] = {
    {0, "that is one lap of the ring", [](In in, In) { return 0.875 * in[0] * mib / (in[1] * 1e3); }},
    {0, "a GPU does not send itself its own share",
     [](In in, In) { return 2 * in[0] * mib / (in[1] * 1e3); }},
    {1, "the network’s rate is in bits", [](In in, In) { return 1.875 * in[0] * mib / (in[2] * 1e3); }},
    {1, "the slowest hop decides, not the link in the node",
     [](In in, In) { return 1.875 * in[0] * mib / (in[1] * 1e3); }},
    {1, "the slowest hop decides, not the mean of both",
     [](In in, In) { return 1.875 * in[0] * mib / ((in[1] + in[2] / 8) / 2 * 1e3); }},
    {2, "that is the other way round", [](In, In before) { return before[0] / before[1]; }}};

// The same as NCCL does it: every network card of a node carries its own ring.
constexpr double node_sizes[] = {4, 8};
constexpr double card_rates[] = {100, 200, 400, 800};
constexpr ExerciseInput cards_inputs[] = {
    {"s", "Message", "MiB", round_mib, real_mib},
    {"g", "GPUs of a node", "", node_sizes, node_sizes},
    {"b", "Link in the node, one way", "GB/s", round_links, real_links},
    {"nic", "Network card of each GPU", "Gb/s", card_rates, card_rates}};
double both_nodes(In in) {
  return 2 * (2 * in[1] - 1) / (2 * in[1]) * in[0] * mib;
}
double all_cards(In in) {
  return in[1] * in[3] / 8;
}
constexpr std::string_view border_choices[] = {"the links in the node", "the cards at its border"};
constexpr ExerciseResult cards_results[] = {
    {"inside_us", "All-reduce among the GPUs of one node", "µs",
     [](In in, In) { return 2 * (in[1] - 1) / in[1] * in[0] * mib / (in[2] * 1e3); },
     "All hops of the ring are links in the node.", "2(g − 1)/g · s / b",
     "2 · ({g} − 1) / {g} · {s} · 2²⁰ / ({b} · 10³)"},
    {"cards_gb_per_sec", "What all cards of a node carry together", "GB/s",
     [](In in, In) { return all_cards(in); },
     "Each card has a ring of its own, and the rings share the message. Bits, not bytes.", "g · nic / 8",
     "{g} · {nic} / 8"},
    {"across_us", "All-reduce over two such nodes", "µs",
     [](In in, In before) { return both_nodes(in) / (std::min(in[2], before[1]) * 1e3); },
     "Each GPU still sends 2(n − 1)/n of the message, now with n = 2g. Links in the node and cards at its "
     "border carry the rings at the same time: the slower of the two decides.",
     "2(2g − 1)/(2g) · s / min(b, cards)",
     "2 · (2 · {g} − 1) / (2 · {g}) · {s} · 2²⁰ / (min({b}, cards) · 10³)"},
    {"decides", "Which decides over two nodes?", "",
     [](In in, In before) { return chosen(in[2] < before[1]); },
     "Both carry the same rings at the same time: the slower one decides.", "min(b, cards)",
     "min({b}, cards)", border_choices}};
constexpr ExerciseMistake cards_mistakes[] = {
    {0, "that is one lap of the ring",
     [](In in, In) { return (in[1] - 1) / in[1] * in[0] * mib / (in[2] * 1e3); }},
    {0, "a GPU does not send itself its own share",
     [](In in, In) { return 2 * in[0] * mib / (in[2] * 1e3); }},
    {1, "that is one card: every card of the node carries a ring", [](In in, In) { return in[3] / 8; }},
    {1, "a card’s rate is in bits", [](In in, In) { return in[1] * in[3]; }},
    {2, "that is one ring through one card; every card of the node carries a ring of its own",
     [](In in, In) { return both_nodes(in) / (in[3] / 8 * 1e3); }},
    {2, "the cards are slower than the links, and decide",
     [](In in, In before) { return before[1] < in[2] ? both_nodes(in) / (in[2] * 1e3) : std::nan(""); }},
    {2, "the links in the node are slower than all cards together, and decide",
     [](In in, In before) { return before[1] > in[2] ? both_nodes(in) / (before[1] * 1e3) : std::nan(""); }},
    {2, "over two nodes n is twice as large",
     [](In in, In before) {
       return 2 * (in[1] - 1) / in[1] * in[0] * mib / (std::min(in[2], before[1]) * 1e3);
     }},
    {3, "all cards of a node carry rings at once: compare what they carry together with a link",
     [](In in, In) { return other_of(chosen(in[2] < all_cards(in))); }}};

// What tensor parallelism saves.
constexpr double more_billions[] = {1,  2,  3,  4,  5,  6,  8,  10, 12, 14, 16, 18,
                                    20, 24, 28, 32, 40, 48, 56, 64, 80, 96, 120};
constexpr double more_real_billions[] = {1.5, 2.7,  3.2, 6.7, 8.3,  9.2, 13, 14.8,
                                         27,  30.5, 34,  70,  72.7, 123, 175};
constexpr ExerciseInput more_memory_inputs[] = {
    {"p", "Parameters", "billion", more_billions, more_real_billions},
    {"n", "GPUs", "", more_groups, more_odd_groups}};
constexpr double billions[] = {8, 16, 32, 64};
constexpr double real_billions[] = {6.7, 13, 34, 70, 175};
constexpr ExerciseInput memory_inputs[] = {{"p", "Parameters", "billion", billions, real_billions},
                                           {"n", "GPUs", "", groups, odd_groups}};
constexpr ExerciseResult memory_results[] = {
    {"weights_gb", "Weights on a GPU, two bytes each", "GB", [](In in, In) { return 2 * in[0] / in[1]; },
     "Every matrix is cut into n parts.", "2p / n", "2 · {p} / {n}"},
    {"states_gb", "Weights, gradients and optimizer on a GPU", "GB",
     [](In in, In) { return 16 * in[0] / in[1]; },
     "Mixed precision with Adam: two bytes of weights, two of gradients, and in four bytes each a copy of "
     "the weights and two moments.",
     "(2 + 2 + 3 · 4) p / n", "16 · {p} / {n}"},
    {"saved_gb", "Memory saved per GPU, compared with holding it all", "GB",
     [](In in, In before) { return before[1] * (in[1] - 1); }, "What the others hold, it does not.",
     "states · (n − 1)", "states · ({n} − 1)"}};
constexpr ExerciseMistake memory_mistakes[] = {
    {0, "that is all of the weights", [](In in, In) { return 2 * in[0]; }},
    {0, "two bytes a parameter", [](In in, In) { return in[0] / in[1]; }},
    {0, "four bytes would be single precision", [](In in, In) { return 4 * in[0] / in[1]; }},
    {1, "the optimizer’s states are missing", [](In in, In) { return 4 * in[0] / in[1]; }},
    {1, "the optimizer keeps a copy of the weights too", [](In in, In) { return 12 * in[0] / in[1]; }},
    {1, "the gradients are missing", [](In in, In) { return 14 * in[0] / in[1]; }},
    {1, "that is on one GPU without tensor parallelism", [](In in, In) { return 16 * in[0]; }},
    {2, "that is what one GPU would hold without tensor parallelism",
     [](In in, In before) { return before[1] * in[1]; }}};

constexpr double memory_gb = 80;
constexpr std::string_view memory_choices[] = {"yes", "no"};
constexpr ExerciseResult judged_memory_results[] = {
    memory_results[0],
    memory_results[1],
    memory_results[2],
    {"fits", "Do these states fit on a GPU of 80 GB?", "",
     [](In, In before) { return chosen(before[1] <= memory_gb); },
     "Weights are not all: gradients and the optimizer’s states have to be there too.", "states ≤ 80 GB",
     "16 · {p} / {n} ≤ 80", memory_choices}};
double states_of(In in) {
  return 16 * in[0] / in[1];
}
constexpr ExerciseMistake judged_memory_mistakes[] = {
    memory_mistakes[0],
    memory_mistakes[1],
    memory_mistakes[2],
    memory_mistakes[3],
    memory_mistakes[4],
    memory_mistakes[5],
    memory_mistakes[6],
    memory_mistakes[7],
    {3, "compare all states with 80 GB, not the weights alone",
     [](In in, In) { return other_of(chosen(states_of(in) <= memory_gb)); }}};

// Overlap.
constexpr double computes[] = {200, 300, 400};
constexpr double real_computes[] = {185, 268, 342};
constexpr double hideable[] = {250, 350, 500};
constexpr double real_hideable[] = {236, 318, 455, 515};
constexpr double blocking[] = {40, 50, 80};
constexpr double real_blocking[] = {27, 46, 71, 93};
constexpr double layer_counts[] = {16, 32, 40};
constexpr double real_layers[] = {28, 36, 48, 80};
constexpr ExerciseInput overlap_inputs[] = {
    {"c", "Compute of a layer", "µs", computes, real_computes},
    {"g", "Gathering the next layer’s weights, while it computes", "µs", hideable, real_hideable},
    {"r", "All-reduces that the layer waits for", "µs", blocking, real_blocking},
    {"l", "Layers", "", layer_counts, real_layers}};
constexpr ExerciseResult overlap_results[] = {
    {"exposed_us", "Exposed communication of a layer", "µs",
     [](In in, In) { return in[2] + std::max(0.0, in[1] - in[0]); },
     "What runs during compute costs only what sticks out; what the layer waits for costs all of its time.",
     "r + max(0, g − c)", "{r} + max(0, {g} − {c})"},
    {"layer_us", "Time of a layer", "µs", [](In in, In before) { return in[0] + before[0]; },
     "Compute and what is exposed come one after the other.", "c + exposed", "{c} + exposed"},
    {"forward_ms", "Forward pass", "ms", [](In in, In before) { return before[1] * in[3] / 1e3; },
     "All layers, one after the other; a thousand µs are a ms.", "l · layer / 1000", "{l} · layer / 1000"}};
constexpr ExerciseMistake overlap_mistakes[] = {
    {0, "that adds up all communication: compute hides some of it", [](In in, In) { return in[1] + in[2]; }},
    {0, "the layer’s own all-reduces wait too", [](In in, In) { return std::max(0.0, in[1] - in[0]); }},
    {0, "what sticks out of compute waits too", [](In in, In) { return in[2]; }},
    {1, "that hides everything behind compute", [](In in, In) { return in[0]; }},
    {1, "that hides nothing", [](In in, In) { return in[0] + in[1] + in[2]; }},
    {2, "that is one layer", [](In, In before) { return before[1] / 1e3; }},
    {2, "that is in µs", [](In in, In before) { return before[1] * in[3]; }}};

// Both passes: what fits behind one need not fit behind the other.
constexpr double forward_computes[] = {200, 240, 300, 320, 400};
constexpr double real_forward_computes[] = {185, 226, 268, 305, 342};
constexpr double gathers[] = {120, 160, 250, 360, 450};
constexpr double real_gathers[] = {104, 148, 236, 318, 455};
constexpr double reductions[] = {150, 250, 400, 600};
constexpr double real_reductions[] = {138, 262, 415, 634};
constexpr ExerciseInput lanes_inputs[] = {
    {"c", "Compute of a layer, forward", "µs", forward_computes, real_forward_computes},
    {"g", "Gathering the next layer’s weights, in each pass", "µs", gathers, real_gathers},
    {"d", "Summing the layer’s gradients, backward", "µs", reductions, real_reductions},
    {"r", "All-reduces that the layer waits for, in each pass", "µs", blocking, real_blocking},
    {"l", "Layers", "", layer_counts, real_layers}};
// If nothing sticks out, or the wrong rule hides everything, it is no mistake.
double unless_right(double wrong, double right) {
  return wrong == right ? std::nan("") : wrong;
}
double sticks_out(double communication, double compute) {
  return std::max(0.0, communication - compute);
}
double forward_exposed(In in) {
  return in[3] + sticks_out(in[1], in[0]);
}
double backward_exposed(In in) {
  return in[3] + sticks_out(in[1] + in[2], 2 * in[0]);
}
constexpr std::string_view lane_choices[] = {"forward", "backward"};
constexpr ExerciseResult lanes_results[] = {
    {"forward_exposed_us", "Exposed communication of a layer, forward", "µs",
     [](In in, In) { return forward_exposed(in); },
     "What runs during compute costs only what sticks out; what the layer waits for costs all of its time.",
     "r + max(0, g − c)", "{r} + max(0, {g} − {c})"},
    {"backward_exposed_us", "Exposed communication of a layer, backward", "µs",
     [](In in, In) { return backward_exposed(in); },
     "The backward pass computes twice as long and hides weights and gradients behind that.",
     "r + max(0, g + d − 2c)", "{r} + max(0, {g} + {d} − 2 · {c})"},
    {"step_ms", "Both passes", "ms",
     [](In in, In before) { return (3 * in[0] + before[0] + before[1]) * in[4] / 1e3; },
     "All layers, one after the other, forward and backward; a thousand µs are a ms.",
     "l · (3c + both exposed) / 1000", "{l} · (3 · {c} + exposed, forward and backward) / 1000"},
    {"longer", "In which pass do the GPUs wait longer?", "",
     [](In, In before) { return chosen(before[0] > before[1]); },
     "Where more communication sticks out of compute.", "compare both exposed", "compare both exposed",
     lane_choices}};
constexpr ExerciseMistake lanes_mistakes[] = {
    {0, "that adds up all communication: compute hides some of it", [](In in, In) { return in[1] + in[3]; }},
    {0, "what the layer waits for cannot be hidden: only the gathering runs during compute",
     [](In in, In) { return unless_right(sticks_out(in[1] + in[3], in[0]), forward_exposed(in)); }},
    {0, "what sticks out of compute waits too",
     [](In in, In) { return unless_right(in[3], forward_exposed(in)); }},
    {1, "that adds up all communication: compute hides some of it",
     [](In in, In) { return in[1] + in[2] + in[3]; }},
    {1, "what the layer waits for cannot be hidden: only gathering and summing run during compute",
     [](In in, In) {
       return unless_right(sticks_out(in[1] + in[2] + in[3], 2 * in[0]), backward_exposed(in));
     }},
    {1, "what sticks out of compute waits too",
     [](In in, In) { return unless_right(in[3], backward_exposed(in)); }},
    {1, "the backward pass computes twice as long",
     [](In in, In) { return unless_right(in[3] + sticks_out(in[1] + in[2], in[0]), backward_exposed(in)); }},
    {2, "that is one layer", [](In in, In before) { return (3 * in[0] + before[0] + before[1]) / 1e3; }},
    {2, "the backward pass computes twice as long: three times the forward pass in all",
     [](In in, In before) { return (2 * in[0] + before[0] + before[1]) * in[4] / 1e3; }},
    {2, "that is in µs", [](In in, In before) { return (3 * in[0] + before[0] + before[1]) * in[4]; }},
    {3, "compare what is exposed: what sends more may wait less, if more compute hides it",
     [](In in, In) { return other_of(chosen(forward_exposed(in) > backward_exposed(in))); }}};

// A layout.
constexpr double clusters[] = {64, 128, 256};
constexpr double real_clusters[] = {512, 1024, 2048};
constexpr double tensor_degrees[] = {2, 4, 8};
constexpr double pipeline_degrees[] = {4, 8};
constexpr double batches[] = {256, 512, 1024};
constexpr double real_batches[] = {1024, 2048, 4096};
constexpr double more_clusters[] = {64, 128, 256, 512};
constexpr double more_real_clusters[] = {512, 1024, 2048, 4096};
constexpr double more_pipeline_degrees[] = {4, 8, 16};
constexpr double more_batches[] = {256, 512, 1024, 2048, 4096};
constexpr double more_real_batches[] = {1024, 1536, 2048, 3072, 4096, 6144};
// The model follows from what was drawn, so that links of before the choice keep their numbers. GPT's shapes,
// up to what a cluster can hold with its optimizer and activations, whose layers the stages share evenly.
struct GptShape {
  double hidden, layers;
  double parameters() const { return 12 * layers * hidden * hidden; }
};
constexpr GptShape gpt_shapes[] = {{4096, 32}, {5120, 40}, {6144, 48}, {8192, 64}, {8192, 80}, {12288, 96}};
constexpr double most_parameters_per_gpu = 2.2e9;
const GptShape& shape_for(In in) {
  const GptShape* fitting[std::size(gpt_shapes)] = {};
  int count = 0;
  for (const GptShape& one : gpt_shapes) {
    const bool fits = one.parameters() <= most_parameters_per_gpu * in[0];
    if (fits && std::fmod(one.layers, in[2]) == 0) fitting[count++] = &one;
  }
  const int mixed = std::ilogb(in[0]) + 3 * std::ilogb(in[1]) + 5 * std::ilogb(in[2]) + 7 * std::ilogb(in[3]);
  return *fitting[mixed % count];
}
constexpr ExerciseInput more_layout_inputs[] = {
    {"g", "GPUs of the cluster", "", more_clusters, more_real_clusters},
    {"t", "TP", "", tensor_degrees, tensor_degrees},
    {"p", "PP", "", more_pipeline_degrees, more_pipeline_degrees},
    {"batch", "Sequences per step", "", more_batches, more_real_batches},
    {"h", "Hidden size", "", {}, {}, [](In in, double) { return shape_for(in).hidden; }},
    {"l", "Layers", "", {}, {}, [](In in, double) { return shape_for(in).layers; }}};
constexpr ExerciseInput layout_inputs[] = {{"g", "GPUs of the cluster", "", clusters, real_clusters},
                                           {"t", "TP", "", tensor_degrees, tensor_degrees},
                                           {"p", "PP", "", pipeline_degrees, pipeline_degrees},
                                           {"batch", "Sequences per step", "", batches, real_batches}};
constexpr ExerciseResult layout_results[] = {
    {"data_parallel", "Replicas (DP)", "", [](In in, In) { return in[0] / in[1] / in[2]; },
     "The degrees multiply to the cluster.", "g / (t · p)", "{g} / ({t} · {p})"},
    {"micro_batches", "Micro-batches per replica", "", [](In in, In before) { return in[3] / before[0]; },
     "The replicas share the sequences of a step.", "batch / DP", "{batch} / DP"},
    {"bubble_percent", "Pipeline bubble, share of the step", "%",
     [](In in, In before) { return (in[2] - 1) / (before[1] + in[2] - 1) * 100; },
     "Besides the m micro-batches that it works on, a stage waits for p − 1 to come or to go.",
     "(p − 1)/(m + p − 1) · 100", "({p} − 1) / (m + {p} − 1) · 100"}};
constexpr ExerciseMistake layout_mistakes[] = {
    {0, "the pipeline’s stages take GPUs too", [](In in, In) { return in[0] / in[1]; }},
    {0, "the GPUs of a TP group count too", [](In in, In) { return in[0] / in[2]; }},
    {0, "degrees multiply, they do not add up", [](In in, In) { return in[0] / (in[1] + in[2]); }},
    {1, "the replicas share them", [](In in, In) { return in[3]; }},
    {1, "only replicas share them: the GPUs of one replica work on the same sequences",
     [](In in, In) { return in[3] / in[0]; }},
    {2, "that is over the ideal time, without the bubble itself",
     [](In in, In before) { return (in[2] - 1) / before[1] * 100; }},
    {2, "p − 1 stages wait, not p", [](In in, In before) { return in[2] / (before[1] + in[2]) * 100; }},
    {2, "that is a fraction; percent are asked for",
     [](In in, In before) { return (in[2] - 1) / (before[1] + in[2] - 1); }}};

constexpr ExerciseKind kinds[] = {
    {ExerciseTrack::ring_rounds, "Rounds of a ring",
     "{n} GPUs all-reduce {s} on a ring. How many rounds does that take, and how much does each GPU send?",
     ring_inputs, ring_results, ring_mistakes, ExerciseRing::drawn},
    {ExerciseTrack::partition, "Columns, then rows",
     "An MLP multiplies {tokens} tokens by a matrix of h × 4h, then by one of 4h × h, with h = {h} and two "
     "bytes per number. {n} GPUs share it by tensor parallelism. What does each GPU hold, and what must be "
     "added up?",
     split_inputs, split_results, split_mistakes},
    {ExerciseTrack::latency, "Latency and bandwidth",
     "{n} GPUs all-reduce {s} on a ring. In every round {a} pass before the first byte moves; links carry "
     "{b} one way. Which takes longer, latency or bytes?",
     latency_inputs, latency_results, latency_mistakes, ExerciseRing::drawn},
    {ExerciseTrack::utilization, "How busy the link is",
     "An all-reduce of {s} over {n} GPUs took {t}. The link of each GPU carries {b} one way. How much of "
     "that did it use?",
     utilization_inputs, utilization_results, utilization_mistakes, ExerciseRing::drawn},
    {ExerciseTrack::node_border, "Leaving the node",
     "A node has 8 GPUs whose links carry {b} one way; each GPU has a network card of {nic}. This is one "
     "ring, through one card of each node. It all-reduces {s}, first within the node, then over two nodes. "
     "Latency is left out. What does the border cost it?",
     border_inputs, border_results, border_mistakes},
    {ExerciseTrack::ratio, "Communication and compute",
     "The MLP of a layer (h = {h}, four times as wide inside) works on {tokens} tokens over {n} GPUs of "
     "{peak} with links of {b} one way, two bytes per number. At these rates, does a GPU wait longer than it "
     "computes?",
     ratio_inputs, ratio_results, ratio_mistakes},
    {ExerciseTrack::memory, "Memory per GPU",
     "A model with {p} parameters is trained in mixed precision with Adam over {n} GPUs, by tensor "
     "parallelism alone. How much memory does each GPU need, activations left out?",
     memory_inputs, memory_results, memory_mistakes},
    {ExerciseTrack::overlap, "Overlap",
     "A layer computes for {c}. Meanwhile the next layer’s weights are gathered, which takes {g}; for its "
     "own all-reduces, {r}, the layer has to wait. There are {l} layers. How long is a forward pass?",
     overlap_inputs, overlap_results, overlap_mistakes},
    {ExerciseTrack::layout, "The arithmetic of a layout",
     "A cluster has {g} GPUs. A model is split with TP {t} and PP {p}; a step takes {batch} sequences, one "
     "per micro-batch. How many replicas are there, and how much of a step is the pipeline bubble?",
     layout_inputs, layout_results, layout_mistakes},
};

// What the second edition asks differently, or with more numbers.
constexpr auto second_kinds = [] {
  std::array<ExerciseKind, std::size(kinds)> all;
  std::copy(std::begin(kinds), std::end(kinds), all.begin());
  const auto kind = [&](ExerciseTrack track) -> ExerciseKind& {
    return all[static_cast<std::size_t>(track)];
  };
  kind(ExerciseTrack::ring_rounds).inputs = more_ring_inputs;
  kind(ExerciseTrack::partition).inputs = more_split_inputs;
  ExerciseKind& memory = kind(ExerciseTrack::memory);
  memory.inputs = more_memory_inputs;
  memory.results = judged_memory_results;
  memory.mistakes = judged_memory_mistakes;
  memory.asks = [](In in) { return well_apart(states_of(in), memory_gb); };
  ExerciseKind& latency = kind(ExerciseTrack::latency);
  latency.inputs = any_latency_inputs;
  latency.results = judged_latency_results;
  latency.mistakes = judged_latency_mistakes;
  latency.asks = [](In in) { return well_apart(in[0] * in[2] * in[3] * 1e3, in[1] * 1024); };
  ExerciseKind& ratio = kind(ExerciseTrack::ratio);
  ratio.results = judged_ratio_results;
  ratio.mistakes = judged_ratio_mistakes;
  ratio.asks = [](In in) { return well_apart(waits_over_computes(in), 1); };
  kind(ExerciseTrack::utilization) = {
      ExerciseTrack::utilization,
      "A line of nccl-tests",
      "all_reduce_perf ran over {n} GPUs whose links carry {b} one way. For a message of {s} it printed "
      "{t}, but its last columns are lost. What did they say, and what does it tell of the links?",
      line_inputs,
      line_results,
      line_mistakes,
      ExerciseRing::drawn,
      [](In in) {
        const double share = share_of_link(in);
        return std::fabs(share - 1) > 0.03 && (share < 1 || in[2] >= least_of_adding_switch);
      }};
  ExerciseKind& layout = kind(ExerciseTrack::layout);
  layout.title = "Choosing a layout";
  layout.question =
      "A cluster has {g} H100 GPUs of 80 GB, eight to a node. A GPT model of {l} layers with hidden size {h} "
      "is split with TP {t} and PP {p}; a step takes {batch} sequences of 4,096 tokens, one per micro-batch. "
      "How many replicas are there, how much of a step is the pipeline bubble, and which TP and PP would you "
      "choose instead?";
  layout.inputs = more_layout_inputs;
  layout.choice = ExerciseChoice::layout;
  // Whole replicas, which share the sequences evenly.
  layout.asks = [](In in) {
    const double replicas = in[0] / in[1] / in[2];
    return replicas >= 1 && std::fmod(in[3], replicas) == 0;
  };
  kind(ExerciseTrack::node_border) = {
      ExerciseTrack::node_border, "Leaving the node",
      "A node has {g} GPUs whose links carry {b} one way; each GPU has a network card of {nic}. {s} are "
      "all-reduced, first within one node, then over two. As many rings run at once as a node has cards. "
      "Latency is left out. What does it cost to leave the node?",
      cards_inputs, cards_results, cards_mistakes, ExerciseRing::none,
      // The rates differ, or nothing decides.
      [](In in) { return all_cards(in) != in[2]; }};
  kind(ExerciseTrack::overlap) = {
      ExerciseTrack::overlap, "Overlap",
      "A layer computes for {c} in the forward pass and twice as long in the backward pass. While it "
      "computes, the next layer’s weights are gathered ({g} in each pass) and, in the backward pass, "
      "gradients are summed ({d}). For its own all-reduces ({r} in each pass) the layer has to wait. There "
      "are {l} layers. How much communication is exposed, and how long do both passes take?",
      lanes_inputs, lanes_results, lanes_mistakes, ExerciseRing::none,
      // One pass hides all that can be hidden, the other does not: no wrong rule is right in both.
      [](In in) {
        const double forward = in[1] - in[0];
        const double backward = in[1] + in[2] - 2 * in[0];
        return forward * backward < 0;
      }};
  for (ExerciseKind& one : all) one.edition = 2;
  return all;
}();

constexpr bool in_order(std::span<const ExerciseKind> all) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].track != static_cast<ExerciseTrack>(i)) return false;
  }
  return all.size() == std::size(exercise_track_names);
}
static_assert(in_order(kinds) && in_order(second_kinds));

}  // namespace

std::span<const ExerciseKind> exercise_kinds(int edition) {
  return edition == 1 ? std::span<const ExerciseKind>(kinds) : second_kinds;
}

}  // namespace commcost
