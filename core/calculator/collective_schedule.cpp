#include "core/collective/schedule.h"

#include <vector>

#include "core/calculator/calculation.h"
#include "core/calculator/calculations.h"
#include "core/calculator/collective_fields.h"
#include "core/collective/executor.h"

namespace commcost::calculations {
namespace collective_schedule_table {

struct MessageRow {
  int from = 0;
  int to = 0;
  Wholes chunks;
  bool reduce = false;
};

struct PhaseRow {
  std::string_view name;
  int rounds = 0;
};

struct Results {
  std::vector<std::vector<MessageRow>> rounds;
  std::vector<PhaseRow> phases;
  int chunks = 0;
  int chunks_per_message = 0;
  Wholes slots;
  std::vector<Wholes> chunks_at_start;
  std::vector<Wholes> chunks_at_end;
  bool has_switch = false;
  int group_size = 1;
  int pieces = 1;
  double sent_chunks_per_rank = 0;
  double received_chunks_per_rank = 0;
  double reduced_chunks_per_rank = 0;
  bool correct = false;
};

using Inputs = MethodInputs;

constexpr InputField ranks[] = {ranks_field(most_shown_ranks)};

constexpr FieldGroup groups[] = {
    group<Inputs, CollectiveInputs>(collective_field),
    group<Inputs>(algorithm_field),
    group<Inputs, CollectiveInputs>(ranks),
    group<Inputs, CollectiveInputs>(shown_cut),
};

constexpr ResultField message_columns[] = {
    result<&MessageRow::from>("Rank that sends; the number of ranks: the switch"),
    result<&MessageRow::to>("Rank that receives it"),
    result<&MessageRow::chunks>("Chunks that it carries"),
    result<&MessageRow::reduce>("Whether they are added to the receiver's own"),
};

constexpr ResultField phase_columns[] = {
    result<&PhaseRow::name>("The purpose of the phase"),
    result<&PhaseRow::rounds>("Rounds of the phase"),
};

constexpr ResultField results[] = {
    row_lists_result<&Results::rounds>(message_columns, "The messages of each round"),
    rows_result<&Results::phases>(phase_columns, "The parts of the schedule, in order"),
    result<&Results::chunks>("Number of different chunks in the schedule"),
    result<&Results::chunks_per_message>("Chunks that make message_size_bytes"),
    result<&Results::slots>("The slot of each chunk in a rank's message, from 0"),
    result<&Results::chunks_at_start>("The chunks that each rank has at the start"),
    result<&Results::chunks_at_end>("The chunks that each rank must end with"),
    result<&Results::has_switch>("Whether a switch, as the node after the last rank, takes part"),
    result<&Results::group_size>("Ranks of an inner group, as used").in("ranks"),
    result<&Results::pieces>("Pieces of the pipeline, as used; 1: no pipeline"),
    result<&Results::sent_chunks_per_rank>("Chunks sent by the rank that sends most, counted"),
    result<&Results::received_chunks_per_rank>("Chunks received by the rank that receives most, counted"),
    result<&Results::reduced_chunks_per_rank>("Chunks added by the rank that adds most, counted"),
    result<&Results::correct>("Whether every rank ends with the right numbers when the schedule is run"),
};

Wholes chunks_in(std::span<const ChunkRun> runs) {
  std::size_t count = 0;
  for (const ChunkRun& run : runs) count += static_cast<std::size_t>(run.count);
  Wholes chunks;
  chunks.reserve(count);
  for (const ChunkRun& run : runs) {
    for (int chunk = run.first; chunk < run.first + run.count; ++chunk) chunks.push_back(chunk);
  }
  return chunks;
}

std::vector<std::vector<MessageRow>> rounds_of(const Schedule& schedule) {
  std::vector<std::vector<MessageRow>> rounds;
  Round round;
  for (int index = 0; index < schedule.rounds(); ++index) {
    schedule.write(index, round);
    std::vector<MessageRow> messages;
    messages.reserve(round.messages().size());
    for (const Message& message : round.messages()) {
      messages.push_back({message.from, message.to, chunks_in(round.chunks_of(message)), message.reduce});
    }
    rounds.push_back(std::move(messages));
  }
  return rounds;
}

std::vector<Wholes> chunks_held(const Schedule& schedule, Holders (Schedule::*holders_of)(int) const) {
  std::vector<Wholes> held(static_cast<std::size_t>(schedule.group().ranks));
  for (int chunk = 0; chunk < schedule.group().chunks; ++chunk) {
    const Holders holders = (schedule.*holders_of)(chunk);
    for (int rank = holders.first; rank < holders.first + holders.count; ++rank)
      held[static_cast<std::size_t>(rank)].push_back(chunk);
  }
  return held;
}

Wholes slots_of(const Schedule& schedule) {
  Wholes slots;
  for (int chunk = 0; chunk < schedule.group().chunks; ++chunk) slots.push_back(schedule.slot_of(chunk));
  return slots;
}

std::vector<PhaseRow> phases_of(const Schedule& schedule) {
  std::vector<PhaseRow> phases;
  for (int round = 0; round < schedule.rounds(); ++round) {
    const std::string_view name = schedule.phase_of(round);
    if (phases.empty() || phases.back().name != name) phases.push_back({name, 0});
    ++phases.back().rounds;
  }
  return phases;
}

Outcome<Results> run(const Inputs& inputs) {
  const Outcome<PlacedMethod> placed = placed_method_for(inputs);
  Problems problems = problems_of(placed);
  check_shown_pieces(placed, problems);
  if (!problems.empty()) return problems;
  const Method& method = *placed->method;
  const Group group = shown_group(*placed);
  const Schedule schedule(method, group);

  Results shown;
  shown.rounds = rounds_of(schedule);
  shown.phases = phases_of(schedule);
  shown.chunks = schedule.group().chunks;
  shown.chunks_per_message = schedule.chunks_per_message();
  shown.slots = slots_of(schedule);
  shown.chunks_at_start = chunks_held(schedule, &Schedule::holders_at_start);
  shown.chunks_at_end = chunks_held(schedule, &Schedule::holders_at_end);
  shown.has_switch = schedule.has_switch();
  shown.group_size = group.group_size;
  shown.pieces = group.pieces;
  // One element per chunk: what is counted are chunks.
  const Tally tally = Executor(schedule, shown.chunks_per_message).run();
  shown.sent_chunks_per_rank = tally.sent;
  shown.received_chunks_per_rank = tally.received;
  shown.reduced_chunks_per_rank = tally.reduced;
  // A length that the chunks do not divide is the harder case.
  shown.correct = executes_correctly(schedule, shown.chunks_per_message + 1);
  return shown;
}

constexpr Calculation table = unswept_calculation<Inputs, Results, run, results>(
    "collective_schedule", "Messages of a collective, round by round: sender, receiver and chunks", groups);

}  // namespace collective_schedule_table

const Calculation collective_schedule = collective_schedule_table::table;

}  // namespace commcost::calculations
