#include "core/parallel/communication.h"

namespace commcost {

bool takes_part(Stages stages, const Stage& stage) {
  switch (stages) {
    case Stages::all:
      return true;
    case Stages::first:
      return stage.is_first;
    case Stages::last:
      return stage.is_last;
    case Stages::first_and_last:
      return stage.is_first || stage.is_last;
    case Stages::all_but_first:
      return !stage.is_first;
    case Stages::all_but_last:
      // A stage with both ends of the model is at one end of the line, so it sends one way.
      return (!stage.is_last || stage.is_first) && !stage.turns;
  }
  return true;
}

bool sent_in(const Communication& message, LayerKind kind) {
  return message.layers == AmongLayers::all ||
         (message.layers == AmongLayers::moe) == (kind == LayerKind::moe);
}

double calls(const Communication& message, const Stage& stage, double micro_batches) {
  switch (message.per) {
    case Per::layer:
      if (message.phase == StepPhase::recompute) micro_batches *= stage.repeated_share;
      switch (message.layers) {
        case AmongLayers::all:
          return message.count * micro_batches * stage.layers();
        case AmongLayers::dense:
          return message.count * micro_batches * stage.dense_layers;
        case AmongLayers::moe:
          return message.count * micro_batches * stage.moe_layers;
      }
      return 0;
    case Per::micro_batch:
      // Each copy has its end of the model for its share of the micro-batches.
      return message.count * micro_batches / (message.stages == Stages::all ? 1 : stage.copies);
    case Per::boundary:
      return message.count * micro_batches;
    case Per::iteration:
      return message.count;
  }
  return 0;
}

}  // namespace commcost
