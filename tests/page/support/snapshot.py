"""Writes a pickle as torch.cuda.memory._dump_snapshot does: snapshot.py PROTOCOL KIND > file.

Of one GPU: weights from before the recording, then steps whose forward pass keeps a block a layer, whose backward pass frees it
again, and whose optimizer allocates its state in the first of them. Objects are shared as PyTorch shares them: frames, and keys.
"""

import pickle
import sys

GIB = 2**30
PROTOCOL, KIND = int(sys.argv[1]), sys.argv[2]


def frame(name, filename, line=1):
    return {"name": name, "filename": filename, "line": line}


LINEAR = frame("forward", "/opt/torch/nn/modules/linear.py", 125)
CALL = frame("_call_impl", "/opt/torch/nn/modules/module.py", 1747)
BACKWARD = frame("torch::autograd::Engine::evaluate_function(...)", "??", 0)
ADAM = frame("_init_group", "/opt/torch/optim/adamw.py", 110)
MAIN = frame("main", "/home/user/train.py", 40)
FORWARD, BACK, STEP, OTHER = [LINEAR, CALL, MAIN], [BACKWARD], [ADAM, MAIN], [MAIN]

LAYERS, STEPS = 4, 3
CATEGORY = {id(FORWARD): "activation", id(BACK): "gradient", id(STEP): "optimizer_state", id(OTHER): "temporary"}


def snapshot():
    trace, clock = [], 1_764_000_000_000_000

    def event(action, addr, size, frames):
        nonlocal clock
        clock += 1000
        entry = {"action": action, "addr": addr, "size": size, "stream": 0, "time_us": clock, "compile_context": "N/A"}
        if KIND == "categories":
            entry["category"] = CATEGORY[id(frames)]
        if KIND == "untimed":
            del entry["time_us"]
        entry["frames"] = frames
        trace.append(entry)

    def free(addr, size, frames):
        event("free_requested", addr, size, frames)
        event("free_completed", addr, size, frames)

    base = 0x7F12_3400_0000
    event("segment_alloc", base, 20 * GIB, OTHER)
    for step in range(STEPS):
        for layer in range(LAYERS):
            event("alloc", base + layer * GIB, 2 * GIB, FORWARD)
        for layer in reversed(range(LAYERS)):
            event("alloc", base + (10 + layer) * GIB, GIB // 4, BACK)
            free(base + layer * GIB, 2 * GIB, FORWARD)
        if step == 0:
            event("alloc", base + 20 * GIB, 6 * GIB, STEP)
        for layer in range(LAYERS):
            free(base + (10 + layer) * GIB, GIB // 4, BACK)
    # What was there before the recording: 3 GiB of weights, and 5 GiB more reserved.
    blocks = [
        {"address": base, "size": 3 * GIB, "requested_size": 3 * GIB, "state": "active_allocated", "frames": []},
        {"address": base + 3 * GIB, "size": 6 * GIB + 512, "requested_size": 6 * GIB, "state": "active_allocated", "frames": STEP},
        {"address": base + 9 * GIB, "size": 16 * GIB - 512, "requested_size": 0, "state": "inactive", "frames": []},
    ]
    segment = {
        "device": 0, "address": base, "total_size": 25 * GIB, "allocated_size": 9 * GIB, "active_size": 9 * GIB,
        "stream": 0, "segment_type": "large", "segment_pool_id": (0, 0), "is_expandable": False, "frames": [], "blocks": blocks,
    }
    return {
        "segments": [] if KIND == "no-segments" else [segment],
        "device_traces": [[], trace] if KIND == "second" else [trace, []],
        "allocator_settings": {"PYTORCH_CUDA_ALLOC_CONF": "", "garbage_collection_threshold": 0.0, "expandable_segments": True},
        "external_annotations": [],
    }


class Acts:
    def __reduce__(self):
        return print, ("this must never run",)


if KIND == "acts":
    value = {"segments": [], "device_traces": [[Acts()]]}
elif KIND == "itself":
    value = {"segments": [], "device_traces": []}
    value["device_traces"].append(value["device_traces"])
elif KIND == "deep":
    value = []
    for _ in range(400):
        value = [1, value]
elif KIND == "no-history":
    value = {**snapshot(), "device_traces": [[], []]}
elif KIND == "others":
    value = {"state_dict": [1.5, None, True, -3, 2**40, -(2**40), "x" * 5000, ("a", "b", "c", "d")]}
elif KIND == "bytes":
    value = {"device_traces": [b"\x00" * 300]}
else:
    value = snapshot()
    if KIND == "second":
        for entry in value["segments"]:
            entry["device"] = 1
pickle.dump(value, sys.stdout.buffer, protocol=PROTOCOL)
