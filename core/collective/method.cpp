#include "core/collective/method.h"

#include <string>

#include "core/collective/algorithms.h"

namespace commcost {
namespace {

namespace tree = binomial_tree;
namespace twin = double_binary_tree;
namespace rd = recursive_doubling;
namespace rh = recursive_halving;
namespace rab = rabenseifner;

using enum Collective;

// How many chunks: the whole message, a block for each rank, ...
int whole(const Group&) {
  return 1;
}
int blocks(const Group& group) {
  return group.ranks;
}
int folded_blocks(const Group& group) {
  return power_of_two_within(group.ranks);
}
int block_pairs(const Group& group) {
  return group.ranks * group.ranks;
}
int pieces(const Group& group) {
  return group.pieces;
}
int halves_in_pieces(const Group& group) {
  return 2 * group.pieces;
}
int blocks_in_pieces(const Group& group) {
  return group.ranks * group.pieces;
}

// How many messages a rank may send, or get, in one round.
constexpr int single = 1;
constexpr int both_trees = 2;
constexpr int any = 0;

// What a row states besides its rules.
struct Traits {
  bool grouped = false;
  bool pipelined = false;
  std::string_view published = {};
};
constexpr Traits grouped = {.grouped = true};
constexpr Traits pipelined = {.pipelined = true};
constexpr Traits published(std::string_view form) {
  return {.published = form};
}

constexpr std::string_view thakur = "Thakur, Rabenseifner & Gropp, IJHPCA 19(1), 2005";
constexpr std::string_view patarasuk = "Patarasuk & Yuan, JPDC 69(2), 2009";
constexpr std::string_view chan = "Chan, Heimlich, Purkayastha & van de Geijn, CCPE 19(13), 2007";
constexpr std::string_view sanders = "Sanders, Speck & Träff, Parallel Computing 35(12), 2009; NCCL 2.4";
constexpr std::string_view mpich = "MPICH, src/mpi/coll @6a79bf6";
constexpr std::string_view hensgen = "Hensgen, Finkel & Manber, IJPP 17(1), 1988";
constexpr std::string_view ml_engineering = "stas00/ml-engineering, network/README.md @744d01e";
constexpr std::string_view derived = "the schedule, counted";

constexpr Method row(Collective collective, Algorithm algorithm, std::array<const Phase*, 4> phases,
                     int (*chunks)(const Group&), ClosedForm* counts, int ports, Traits traits,
                     std::string_view form, std::string_view source) {
  return {collective,     algorithm,        phases, chunks, counts,          ports,
          traits.grouped, traits.pipelined, form,   source, traits.published};
}

// clang-format off
constexpr Method methods[] = {
    row(all_reduce, Algorithm::ring, {&ring::reduce_scatter, &ring::all_gather}, blocks, ring::all_reduce_counts, single, {},
        "2(p-1)α + 2(p-1)/p·nβ + (p-1)/p·nγ", patarasuk),
    row(all_reduce, Algorithm::recursive_doubling, {&rd::fold, &rd::exchange, &rd::unfold}, whole, rd::all_reduce_counts, single, {},
        "lg p·(α + nβ + nγ); p not 2^k: (⌊lg p⌋+2)(α + nβ) + (⌊lg p⌋+1)nγ", thakur),
    row(all_reduce, Algorithm::rabenseifner, {&rd::fold, &rab::reduce_scatter, &rab::all_gather, &rd::unfold}, folded_blocks, rab::all_reduce_counts, single,
        published("p not 2^k: (2⌊lg p⌋+2)α + (2(p-1)/p+2)nβ + (1+(p-1)/p)nγ"),
        "2lg q·α + 2(q-1)/q·nβ + (q-1)/q·nγ, q = 2^⌊lg p⌋; p not 2^k: 2α + 2nβ + nγ more", mpich),
    row(all_reduce, Algorithm::binomial_tree, {&tree::reduce, &tree::broadcast}, whole, tree::all_reduce_counts, single, {},
        "2⌈lg p⌉(α + nβ) + ⌈lg p⌉nγ", thakur),
    row(all_reduce, Algorithm::double_binary_tree, {&twin::reduce_up, &twin::broadcast_down}, halves_in_pieces, twin::all_reduce_counts, both_trees, pipelined,
        "2(⌊lg p⌋+k-1)(α + n/k·β) + (⌊lg p⌋+k-1)n/k·γ; p = 2^j > 2: n/k·(β + γ/2) less; p = 2: 2kα + nβ + n/2·γ", sanders),
    row(all_reduce, Algorithm::direct, {&direct::all_reduce}, whole, direct::all_reduce_counts, any, {},
        "α + (p-1)n(β+γ)", derived),
    row(all_reduce, Algorithm::two_shot, {&direct::reduce_scatter, &direct::all_gather}, blocks, direct::two_shot_counts, any, {},
        "2α + 2(p-1)/p·nβ + (p-1)/p·nγ", derived),
    row(all_reduce, Algorithm::two_level, {&two_level::reduce_scatter_inside, &two_level::reduce_scatter_across, &two_level::all_gather_across, &two_level::all_gather_inside}, blocks, two_level::all_reduce_counts, single, grouped,
        "2(g-1)α + 2(g-1)/g·nβ inside, 2(m-1)α + 2(m-1)/m·n/g·β across; (p-1)/p·nγ", ml_engineering),
    row(all_reduce, Algorithm::torus_2d, {&two_level::reduce_scatter_inside, &two_level::reduce_scatter_across, &two_level::all_gather_across, &two_level::all_gather_inside}, blocks, two_level::all_reduce_counts, single, grouped,
        "2(g+m-2)α + 2(p-1)/p·nβ + (p-1)/p·nγ", ml_engineering),
    row(all_reduce, Algorithm::in_network, {&in_network::all_reduce}, pieces, in_network::all_reduce_counts, single, pipelined,
        "(k+1)(α + n/k·β)", ml_engineering),

    row(all_gather, Algorithm::ring, {&ring::all_gather}, blocks, ring::all_gather_counts, single, {},
        "(p-1)α + (p-1)/p·nβ", thakur),
    row(all_gather, Algorithm::recursive_doubling, {&rd::fold_block, &rd::all_gather, &rd::unfold_rest}, blocks, rd::all_gather_counts, single, {},
        "lg p·α + (p-1)/p·nβ; p not 2^k: (⌊lg p⌋+2)α + (p+b)/p·nβ, b = ⌈p/2⌉ + ⌈p/4⌉ + … to 2^⌊lg p⌋", thakur),
    row(all_gather, Algorithm::bruck, {&bruck::all_gather}, blocks, bruck::all_gather_counts, single, {},
        "⌈lg p⌉α + (p-1)/p·nβ", thakur),
    row(all_gather, Algorithm::direct, {&direct::all_gather}, blocks, direct::all_gather_counts, any, {},
        "α + (p-1)/p·nβ", derived),
    row(all_gather, Algorithm::two_level, {&two_level::all_gather_across, &two_level::all_gather_inside}, blocks, two_level::all_gather_counts, single, grouped,
        "(g-1)α + (g-1)/g·nβ inside, (m-1)α + (m-1)/m·n/g·β across", ml_engineering),
    row(all_gather, Algorithm::torus_2d, {&two_level::all_gather_across, &two_level::all_gather_inside}, blocks, two_level::all_gather_counts, single, grouped,
        "(g+m-2)α + (p-1)/p·nβ", ml_engineering),
    row(all_gather, Algorithm::in_network, {&in_network::all_gather}, blocks_in_pieces, in_network::all_gather_counts, single, pipelined,
        "(k+1)α + (1 + 1/(pk))nβ", derived),

    row(reduce_scatter, Algorithm::ring, {&ring::reduce_scatter}, blocks, ring::reduce_scatter_counts, single, {},
        "(p-1)α + (p-1)/p·n(β+γ)", thakur),
    row(reduce_scatter, Algorithm::pairwise, {&pairwise::reduce_scatter}, blocks, pairwise::reduce_scatter_counts, single, {},
        "(p-1)α + (p-1)/p·n(β+γ)", thakur),
    row(reduce_scatter, Algorithm::recursive_halving, {&rd::fold, &rh::reduce_scatter, &rh::unfold_block}, blocks, rh::reduce_scatter_counts, single,
        published("p not 2^k: (⌊lg p⌋+2)α + 2nβ + (1+(p-1)/p)nγ"),
        "lg p·α + (p-1)/p·n(β+γ); p not 2^k: (⌊lg p⌋+2)α + (p+b+1)/p·nβ + (p+b)/p·nγ, b = ⌈p/2⌉ + ⌈p/4⌉ + … to 2^⌊lg p⌋", mpich),
    row(reduce_scatter, Algorithm::direct, {&direct::reduce_scatter}, blocks, direct::reduce_scatter_counts, any, {},
        "α + (p-1)/p·n(β+γ)", derived),
    row(reduce_scatter, Algorithm::two_level, {&two_level::reduce_scatter_inside, &two_level::reduce_scatter_across}, blocks, two_level::reduce_scatter_counts, single, grouped,
        "(g-1)α + (g-1)/g·nβ inside, (m-1)α + (m-1)/m·n/g·β across; (p-1)/p·nγ", ml_engineering),
    row(reduce_scatter, Algorithm::torus_2d, {&two_level::reduce_scatter_inside, &two_level::reduce_scatter_across}, blocks, two_level::reduce_scatter_counts, single, grouped,
        "(g+m-2)α + (p-1)/p·n(β+γ)", ml_engineering),
    row(reduce_scatter, Algorithm::in_network, {&in_network::reduce_scatter}, blocks_in_pieces, in_network::reduce_scatter_counts, single, pipelined,
        "(k+1)α + (1 + 1/(pk))nβ", derived),

    row(broadcast, Algorithm::binomial_tree, {&tree::broadcast}, whole, tree::broadcast_counts, single, {},
        "⌈lg p⌉(α + nβ)", thakur),
    row(broadcast, Algorithm::scatter_all_gather, {&tree::scatter, &ring::all_gather}, blocks, tree::scatter_all_gather_counts, single, {},
        "(⌈lg p⌉+p-1)α + 2(p-1)/p·nβ", thakur),
    row(broadcast, Algorithm::ring, {&ring::broadcast}, pieces, ring::broadcast_counts, single, pipelined,
        "(p-2+k)(α + n/k·β)", chan),
    row(broadcast, Algorithm::double_binary_tree, {&twin::broadcast}, halves_in_pieces, twin::broadcast_counts, both_trees, pipelined,
        "(⌊lg (p-1)⌋+k)(α + n/k·β); p = 2^j + 1 > 2: n/2k·β less", sanders),
    row(broadcast, Algorithm::direct, {&direct::broadcast}, whole, direct::broadcast_counts, any, {},
        "α + (p-1)nβ", derived),
    row(broadcast, Algorithm::in_network, {&in_network::broadcast}, pieces, in_network::broadcast_counts, single, pipelined,
        "(k+1)(α + n/k·β)", derived),

    row(reduce, Algorithm::binomial_tree, {&tree::reduce}, whole, tree::reduce_counts, single, {},
        "⌈lg p⌉(α + n(β+γ))", thakur),
    row(reduce, Algorithm::rabenseifner, {&rd::fold, &rab::reduce_scatter, &rab::gather}, folded_blocks, rab::reduce_counts, single,
        published("p not 2^k: (2⌊lg p⌋+1)α + (2(p-1)/p+1)nβ + (1+(p-1)/p)nγ"),
        "2lg q·α + 2(q-1)/q·nβ + (q-1)/q·nγ, q = 2^⌊lg p⌋; p not 2^k: α + nβ + nγ more", mpich),
    row(reduce, Algorithm::ring, {&ring::reduce}, pieces, ring::reduce_counts, single, pipelined,
        "(p-2+k)(α + n/k·(β+γ))", derived),
    row(reduce, Algorithm::double_binary_tree, {&twin::reduce}, halves_in_pieces, twin::reduce_counts, both_trees, pipelined,
        "(⌊lg (p-1)⌋+k)(α + n/k·(β+γ)); p = 2^j + 1 > 2: n/2k·(β+γ) less", sanders),
    row(reduce, Algorithm::direct, {&direct::reduce}, whole, direct::reduce_counts, any, {},
        "α + (p-1)n(β+γ)", derived),
    row(reduce, Algorithm::in_network, {&in_network::reduce}, pieces, in_network::reduce_counts, single, pipelined,
        "(k+1)(α + n/k·β)", derived),

    row(gather, Algorithm::binomial_tree, {&tree::gather}, blocks, tree::gather_counts, single, {},
        "⌈lg p⌉α + (p-1)/p·nβ", thakur),
    row(gather, Algorithm::direct, {&direct::gather}, blocks, direct::gather_counts, any, {},
        "α + (p-1)/p·nβ", derived),

    row(scatter, Algorithm::binomial_tree, {&tree::scatter}, blocks, tree::scatter_counts, single, {},
        "⌈lg p⌉α + (p-1)/p·nβ", thakur),
    row(scatter, Algorithm::direct, {&direct::scatter}, blocks, direct::scatter_counts, any, {},
        "α + (p-1)/p·nβ", derived),

    row(all_to_all, Algorithm::pairwise, {&pairwise::all_to_all}, block_pairs, pairwise::all_to_all_counts, single, {},
        "(p-1)α + (p-1)/p·nβ", thakur),
    row(all_to_all, Algorithm::bruck, {&bruck::all_to_all}, block_pairs, bruck::all_to_all_counts, single,
        published("⌈lg p⌉α + n/2·⌊lg p⌋β + n/p·(p-2^⌊lg p⌋)β"),
        "⌈lg p⌉α + b/p·nβ, b the ones in 1, 2, …, p-1 as binary numbers", thakur),
    row(all_to_all, Algorithm::direct, {&direct::all_to_all}, block_pairs, direct::all_gather_counts, any, {},
        "α + (p-1)/p·nβ", derived),

    row(send_receive, Algorithm::direct, {&direct::send_receive}, blocks, direct::send_receive_counts, single, {},
        "α + nβ", derived),

    row(barrier, Algorithm::dissemination, {&dissemination::barrier}, blocks, dissemination::barrier_counts, single, {},
        "⌈lg p⌉α", hensgen),
    row(barrier, Algorithm::binomial_tree, {&tree::gather, &tree::broadcast}, blocks, tree::barrier_counts, single, {},
        "2⌈lg p⌉α", derived),
    row(barrier, Algorithm::in_network, {&in_network::barrier}, blocks, in_network::barrier_counts, single, {},
        "2α", derived),
};
// clang-format on

constexpr std::size_t num_collectives = std::size(collective_names);
constexpr std::size_t num_algorithms = std::size(algorithm_names);

// Each combination's place in the table plus one; 0 if it does not exist.
constexpr auto places = [] {
  std::array<std::array<unsigned char, num_algorithms>, num_collectives> table{};
  unsigned char place = 0;
  for (const Method& method : methods) {
    table[static_cast<std::size_t>(method.collective)][static_cast<std::size_t>(method.algorithm)] = ++place;
  }
  return table;
}();

}  // namespace

std::span<const Method> all_methods() {
  return methods;
}

const Method* find_method(Collective collective, Algorithm algorithm) {
  const unsigned place = places[static_cast<std::size_t>(collective)][static_cast<std::size_t>(algorithm)];
  return place == 0 ? nullptr : &methods[place - 1];
}

Outcome<const Method*> method_for(Collective collective, Algorithm algorithm) {
  if (const Method* method = find_method(collective, algorithm)) return method;
  std::string names;
  for (const Method& method : methods) {
    if (method.collective != collective) continue;
    if (!names.empty()) names += ", ";
    names += name_of(method.algorithm);
  }
  const std::string name(name_of(collective));
  return Problem{
      "algorithm", ProblemCode::inconsistent,
      std::string(name_of(algorithm)) + " is not defined for " + name + "; " + name + " has: " + names,
      "one of " + names};
}

Counts counts_of(const Method& method, const Group& group) {
  return group.ranks == 1 ? Counts{} : method.counts(group);
}

}  // namespace commcost
