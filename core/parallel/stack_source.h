#pragma once

#include <string>
#include <string_view>

namespace commcost {

/// What a stack's rules and options were read in.
struct StackSource {
  std::string_view place;   ///< repository, or paper
  std::string_view commit;  ///< of a repository
  std::string_view date;    ///< of that commit or paper

  /// Both, as they are cited.
  std::string cited() const {
    return commit.empty() ? std::string(place) : std::string(place) + " @" + std::string(commit);
  }
};

/// Repositories that both rules and launches were read in.
inline constexpr StackSource megatron_lm_source{"github.com/NVIDIA/Megatron-LM", "d98e8a64", "2026-08-22"};
inline constexpr StackSource torchtitan_source{"github.com/pytorch/torchtitan", "b5bcd76c", "2026-08-21"};
inline constexpr StackSource deepspeed_source{"github.com/deepspeedai/DeepSpeed", "edaa7221", "2026-08-22"};
inline constexpr StackSource vllm_source{"github.com/vllm-project/vllm", "2296ed6f", "August 2026"};
inline constexpr StackSource sglang_source{"github.com/sgl-project/sglang", "001067ff", "August 2026"};
inline constexpr StackSource tensorrt_llm_source{"github.com/NVIDIA/TensorRT-LLM", "00043967", "August 2026"};

}  // namespace commcost
