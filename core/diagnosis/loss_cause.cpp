#include "core/diagnosis/loss_cause.h"

#include <iterator>

namespace commcost {
namespace {

using enum LossCause;

constexpr LossCauseRow rows[] = {
    {slow_matmuls, "Matrix products are slow",
     "nvidia-smi --query-gpu=clocks.sm,clocks.max.sm,power.draw,enforced.power.limit,temperature.gpu,"
     "clocks_event_reasons.active --format=csv -l 1"},
    {slow_attention, "Attention is slow",
     "python -c \"import torch; from torch.backends import cuda; print(torch.__version__, "
     "cuda.flash_sdp_enabled(), cuda.cudnn_sdp_enabled())\""},
    {slow_elementwise, "Other kernels are slow or not fused",
     "nsys stats --report cuda_gpu_kern_sum report.nsys-rep"},
    {throttled_clocks, "Clocks are held down", "nvidia-smi -q -d CLOCK,POWER,PERFORMANCE,TEMPERATURE"},
    {more_work, "More is computed than the job asks for", "grep -E \"recompute|checkpoint\" run.log"},
    {slow_links, "Links in the node are slow",
     "all_reduce_perf -b 8 -e 8G -f 2 -g 8 && nvidia-smi nvlink --status"},
    {slow_network, "The network is slow",
     "NCCL_DEBUG=INFO mpirun -np 16 -N 8 all_reduce_perf -b 8 -e 8G -f 2 -g 1"},
    {not_overlapped, "Communication is not hidden",
     "grep -E \"overlap_grad_reduce|overlap_param_gather|CUDA_DEVICE_MAX_CONNECTIONS|prefetch\" run.log"},
    {host, "The GPU waits for the host", "py-spy top --native --pid $(pgrep -of pretrain)"},
    {input, "Nothing runs for long", "py-spy dump --pid $(pgrep -of pretrain)"},
    {pipeline_bubble, "Pipeline stages wait for each other",
     "torchrun ... --profile --profile-ranks 0 <one rank of each stage>"},
    {stage_imbalance, "One pipeline stage takes longer",
     "grep -E \"num_layers_in_(first|last)_pipeline_stage|account_for\" run.log"},
    {straggler, "One GPU is slower than the others",
     "nvidia-smi -q -d CLOCK,POWER,PERFORMANCE,TEMPERATURE,ECC"},
    {stalls, "Single steps stall", "grep -nE \"saving checkpoint|evaluate|validation\" run.log"},
    {drift, "Steps get slower as the run goes on",
     "nvidia-smi --query-gpu=timestamp,clocks.sm,temperature.gpu,memory.used --format=csv -l 60"},
    {warm_up, "The first steps are slow", "head -n 200 run.log"},
};
static_assert(std::size(rows) == std::size(loss_cause_names));

}  // namespace

const LossCauseRow& row_of(LossCause cause) {
  return rows[static_cast<std::size_t>(cause)];
}

}  // namespace commcost
