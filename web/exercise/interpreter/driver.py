"""Runs a learner's function call by call: MicroPython in the page, CPython in its test. Answers are JSON."""

import io
import json
import sys

_file = "function.py"
_space = {}


class _Anything:
    """Stands for modules that only annotations use and MicroPython lacks."""

    def __getattr__(self, _):
        return self

    def __getitem__(self, _):
        return self


for _module in ("typing", "__future__"):
    try:
        __import__(_module)
    except ImportError:
        sys.modules[_module] = _Anything()


def _traceback(error):
    text = io.StringIO()
    if hasattr(sys, "print_exception"):
        sys.print_exception(error, text)
    else:
        import traceback

        traceback.print_exception(type(error), error, error.__traceback__, file=text)
    return text.getvalue()[-2000:]


def load(code, name):
    """Defines what the code defines: {"found": whether the function is there} or {"stopped": why not}."""
    _space.clear()
    _space["__name__"] = "function"
    try:
        exec(compile(code, _file, "exec"), _space)
    except BaseException as error:
        return json.dumps({"stopped": _traceback(error)})
    return json.dumps({"found": callable(_space.get(name))})


def call(text):
    """What a call gives: {"kind", "text", "types" of the values of a dict} or {"stopped"}."""
    try:
        got = eval(text, _space)
        kind = type(got).__name__
        types = {}
        if isinstance(got, dict):
            kind = "dict"
            types = {str(key): type(value).__name__ for key, value in got.items()}
        return json.dumps({"kind": kind, "text": repr(got)[:4000], "types": types})
    except BaseException as error:
        return json.dumps({"stopped": _traceback(error)})
