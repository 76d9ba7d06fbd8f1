#include "linear/shapes.h"

#include <functional>

namespace commcost::linear {
namespace {

std::string repeated(std::size_t n, const std::function<std::string(std::size_t)>& part) {
  std::string text;
  for (std::size_t at = 0; at < n; ++at) text += part(at);
  return text;
}

std::string number(std::size_t at) {
  return std::to_string(at);
}

std::string object(std::size_t n, const std::function<std::string(std::size_t)>& member) {
  return "{" + repeated(n, [&](std::size_t at) { return (at > 0 ? "," : "") + member(at); }) + "}";
}

std::string list(std::size_t n, const std::function<std::string(std::size_t)>& element) {
  return "[" + repeated(n, [&](std::size_t at) { return (at > 0 ? "," : "") + element(at); }) + "]";
}

const TextShape json[] = {
    {"wide object",
     [](std::size_t n) { return object(n, [](auto at) { return "\"k" + number(at) + "\":1"; }); }},
    {"wide object, falling names",
     [](std::size_t n) { return object(n, [&](auto at) { return "\"k" + number(2 * n - at) + "\":1"; }); }},
    {"names alike to their end",
     [](std::size_t n) {
       return object(n, [](auto at) { return "\"" + std::string(40, 'x') + number(at) + "\":1"; });
     }},
    {"one name again and again",
     [](std::size_t n) { return object(n, [](auto) { return std::string("\"a\":1"); }); }},
    {"two names in turn",
     [](std::size_t n) {
       return object(n, [](auto at) { return at % 2 == 0 ? std::string("\"a\":1") : "\"b\":2"; });
     }},
    {"labels of a classifier",
     [](std::size_t n) {
       return "{\"model_type\":\"llama\",\"id2label\":" +
              object(n, [](auto at) { return "\"" + number(at) + "\":\"LABEL_" + number(at) + "\""; }) +
              ",\"label2id\":" +
              object(n, [](auto at) { return "\"LABEL_" + number(at) + "\":" + number(at); }) + "}";
     }},
    {"deep objects",
     [](std::size_t n) {
       return list(n / 50 + 1, [](auto) {
         return repeated(50, [](auto) { return std::string("{\"a\":"); }) + "1" + std::string(50, '}');
       });
     }},
    {"only opening", [](std::size_t n) { return std::string(n, '['); }},
    {"only opening objects",
     [](std::size_t n) { return repeated(n, [](auto) { return std::string("{\"a\":"); }); }},
    {"empty lists", [](std::size_t n) { return list(n, [](auto) { return std::string("[]"); }); }},
    {"many numbers", [](std::size_t n) { return list(n, [](auto at) { return number(at) + ".5e3"; }); }},
    {"mixed kinds",
     [](std::size_t n) {
       return list(n, [](auto at) {
         const char* kinds[] = {"null", "true", "-1.5", "\"x\"", "{\"a\":[1]}", "[{}]"};
         return std::string(kinds[at % 6]);
       });
     }},
    {"one long string", [](std::size_t n) { return "\"" + std::string(10 * n, 'x') + "\""; }},
    {"one long string of escapes",
     [](std::size_t n) {
       return "\"" + repeated(n, [](auto) { return std::string("\\ud83d\\n\\ude00"); }) + "\"";
     }},
    {"one long name", [](std::size_t n) { return "{\"" + std::string(10 * n, 'x') + "\":1}"; }},
    {"a string without an end", [](std::size_t n) { return "\"" + std::string(10 * n, 'x'); }},
    {"one long number", [](std::size_t n) { return std::string(10 * n, '7'); }},
    {"one long fraction", [](std::size_t n) { return "0." + std::string(10 * n, '7'); }},
    {"one long exponent", [](std::size_t n) { return "1e" + std::string(10 * n, '0') + "1"; }},
    {"white space", [](std::size_t n) { return std::string(10 * n, ' ') + "1" + std::string(10 * n, '\n'); }},
    {"lines, then a slip", [](std::size_t n) { return "[" + std::string(10 * n, '\n') + "x"; }},
};

std::string megatron(std::size_t step, const std::string& ms = "1000.5") {
  return " [2025-08-01 07:19:37] iteration " + number(step) +
         "/ 5000 | elapsed time per iteration (ms): " + ms + " | global batch size: 128 |\n";
}

const char* const row = "1048576 262144 float sum -1 131.07 8.00 14.00 0 131.07 8.00 14.00 0\n";

const TextShape logs[] = {
    {"empty lines", [](std::size_t n) { return std::string(20 * n, '\n') + megatron(1); }},
    {"lines of a letter",
     [](std::size_t n) { return repeated(10 * n, [](auto) { return std::string("x\n"); }) + megatron(1); }},
    {"blank lines",
     [](std::size_t n) { return repeated(n, [](auto) { return std::string("   \t \r\n"); }) + megatron(1); }},
    {"other lines",
     [](std::size_t n) {
       return repeated(n, [](auto at) { return "somebody says " + number(at) + " things: here\n"; }) +
              megatron(1);
     }},
    {"steps", [](std::size_t n) { return repeated(n, [](auto at) { return megatron(at + 1); }); }},
    {"falling steps", [](std::size_t n) { return repeated(n, [&](auto at) { return megatron(n - at); }); }},
    {"two steps in turn",
     [](std::size_t n) { return repeated(n, [](auto at) { return megatron(2 - at % 2); }); }},
    {"the same step", [](std::size_t n) { return repeated(n, [](auto) { return megatron(7); }); }},
    {"steps that slow down",
     [](std::size_t n) { return repeated(n, [](auto at) { return megatron(at + 1, number(at + 1)); }); }},
    {"steps without numbers",
     [](std::size_t n) { return repeated(n, [](auto at) { return megatron(at, "x"); }) + megatron(1); }},
    {"steps by their clock",
     [](std::size_t n) {
       return repeated(n, [](auto at) {
         return "2026-02-24 10:00:" + number(10 + at % 50) + ",000 step: " + number(at / 50) +
                " tps: 1,024\n";
       });
     }},
    {"steps without a batch",
     [](std::size_t n) {
       return repeated(n, [](auto at) { return "step: " + number(at) + " loss: 7 tps: 1,024\n"; });
     }},
    {"settings",
     [](std::size_t n) {
       return repeated(n, [](auto at) { return "tp=2, seq_len=" + number(at) + "\n"; }) + megatron(1);
     }},
    {"one line of settings",
     [](std::size_t n) {
       return repeated(n, [](auto) { return std::string("tp: 1,2 dp "); }) + "\n" + megatron(1);
     }},
    {"one line of keys",
     [](std::size_t n) { return repeated(n, [](auto) { return std::string("iteration "); }) + megatron(1); }},
    {"one line of marks",
     [](std::size_t n) {
       return repeated(n, [](auto) { return std::string("elapsed time per iteration tps: step "); }) + "\n" +
              megatron(1);
     }},
    {"one row of dots", [](std::size_t n) { return "tp " + std::string(10 * n, '.') + "\n" + megatron(1); }},
    {"one long number", [](std::size_t n) { return "tp " + std::string(10 * n, '7') + "\n" + megatron(1); }},
    {"one long line", [](std::size_t n) { return std::string(30 * n, 'x') + "\n" + megatron(1); }},
    {"one line of dates",
     [](std::size_t n) {
       return repeated(n, [](auto) { return std::string("2026-02-24 "); }) + "tps: 1 step 1\n" + megatron(1);
     }},
    {"a mesh",
     [](std::size_t n) {
       return "device mesh with [" + repeated(n, [](auto) { return std::string("'dp', "); }) + "], [" +
              repeated(n, [](auto) { return std::string("1, "); }) + "]\n" + megatron(1);
     }},
    {"colours",
     [](std::size_t n) {
       return repeated(n, [](auto) { return std::string("\x1b[31m\x1b[0"); }) + "\n" + megatron(1);
     }},
    {"a bar written over",
     [](std::size_t n) {
       return repeated(n, [](auto at) { return "\r" + megatron(at + 1).substr(0, 90); });
     }},
    {"rows", [](std::size_t n) { return repeated(n, [](auto) { return std::string(row); }); }},
    {"a table each row",
     [](std::size_t n) { return repeated(n, [](auto) { return std::string("# size time\n") + row; }); }},
    {"rows and other lines",
     [](std::size_t n) { return repeated(n, [](auto) { return std::string(row) + "hello world\n"; }); }},
    {"rows cut short",
     [](std::size_t n) {
       return repeated(n, [](auto) { return std::string("1024 256 float sum -1 1\n"); }) + row + row;
     }},
    {"ranks",
     [](std::size_t n) {
       return repeated(n, [](auto at) { return "# Rank " + number(at) + " Pid 1\n"; }) + row;
     }},
    {"one line of words",
     [](std::size_t n) { return repeated(n, [](auto) { return std::string("float 8 8 "); }) + "\n" + row; }},
    {"programs",
     [](std::size_t n) {
       return repeated(n, [](auto) { return std::string("all_reduce all_gather_perf ") + "\n"; }) + row;
     }},
};

const NumbersShape numbers[] = {
    {"all alike", [](std::size_t, std::size_t) { return 1.0; }},
    {"rising", [](std::size_t at, std::size_t) { return static_cast<double>(at); }},
    {"falling", [](std::size_t at, std::size_t n) { return static_cast<double>(n - at); }},
    {"near and far in turn",
     [](std::size_t at, std::size_t n) { return static_cast<double>(at % 2 == 0 ? at : n + at); }},
    {"scattered",
     [](std::size_t at, std::size_t) { return static_cast<double>((at + 1) * 2654435761u % 1000003u); }},
};

}  // namespace

const TextShape launches[] = {
    {"options",
     [](std::size_t n) {
       return "pretrain_gpt.py" + repeated(n, [](auto at) { return " --option-" + number(at) + " 1"; });
     }},
    {"one option again and again",
     [](std::size_t n) {
       return "pretrain_gpt.py" + repeated(n, [](auto at) { return " --num-layers " + number(at); });
     }},
    {"a line each",
     [](std::size_t n) {
       return "pretrain_gpt.py" + repeated(n, [](auto at) { return " \\\n  --num-layers " + number(at); });
     }},
    {"commands",
     [](std::size_t n) { return repeated(n, [](auto) { return std::string("vllm serve x --tp 2; "); }); }},
    {"variables",
     [](std::size_t n) {
       return repeated(n, [](auto at) { return "V" + number(at) + "=" + number(at) + "\n"; }) +
              "pretrain_gpt.py" + repeated(n, [](auto at) { return " --num-layers $V" + number(at); });
     }},
    {"variables in variables",
     [](std::size_t n) {
       return "A=xx\n" + repeated(n, [](auto) { return std::string("A=\"$A$A\"\n"); }) + "pretrain_gpt.py $A";
     }},
    {"an array that grows",
     [](std::size_t n) {
       return repeated(n, [](auto) { return std::string("A+=(--num-layers 8)\n"); }) +
              "pretrain_gpt.py ${A[@]}";
     }},
    {"a text that grows",
     [](std::size_t n) {
       return repeated(n, [](auto) { return std::string("A+=xxxx\n"); }) + "vllm serve $A";
     }},
    {"documents",
     [](std::size_t n) { return repeated(n, [](auto) { return std::string("deepspeed <<E\n{}\nE\n"); }); }},
    {"documents begun in one line",
     [](std::size_t n) { return repeated(n, [](auto) { return std::string("deepspeed <<E "); }) + "\nx\n"; }},
    {"brackets",
     [](std::size_t n) { return "pretrain_gpt.py " + repeated(n, [](auto) { return std::string("${x"); }); }},
    {"commands in commands",
     [](std::size_t n) {
       return "pretrain_gpt.py " + repeated(n, [](auto) { return std::string("$(x "); });
     }},
    {"quotes",
     [](std::size_t n) { return "pretrain_gpt.py " + repeated(n, [](auto) { return std::string("'\""); }); }},
    {"one long word",
     [](std::size_t n) { return "pretrain_gpt.py --num-layers " + std::string(10 * n, '8'); }},
    {"one long pipeline",
     [](std::size_t n) {
       return "pretrain_gpt.py --pipeline-model-parallel-size 2 --pipeline-model-parallel-layout " +
              std::string(10 * n, '|');
     }},
    {"one long list of modules",
     [](std::size_t n) {
       return "pretrain_gpt.py --recompute-modules" +
              repeated(n, [](auto) { return std::string(" core_attn"); });
     }},
    {"keys with long names",
     [](std::size_t n) {
       return "trtllm-serve x --config <<E\n" + std::string(5 * n, 'k') + ":\n" +
              repeated(n, [](auto at) { return "  a" + number(at) + ": 1\n"; }) + "E\n";
     }},
};

std::span<const TextShape> json_shapes() {
  return json;
}
std::span<const TextShape> launch_shapes() {
  return launches;
}
std::span<const TextShape> log_shapes() {
  return logs;
}
std::span<const NumbersShape> numbers_shapes() {
  return numbers;
}

Value::Numbers numbers_of(const NumbersShape& shape, std::size_t n) {
  Value::Numbers all;
  for (std::size_t at = 0; at < n; ++at) all.push_back(shape.at(at, n));
  return all;
}

}  // namespace commcost::linear
