#pragma once

#include "core/parallel/exported_layout.h"

namespace commcost {

/// The options of Megatron-LM's pretrain scripts, without the text.
ExportedLayout megatron_options(const Job& job);

/// The entries of a torchtitan job's TOML file, without the text.
ExportedLayout torchtitan_options(const Job& job);

}  // namespace commcost
