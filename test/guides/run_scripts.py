"""Runs example programs in one process, one after the other, and prints the output of each as a line of JSON."""

import contextlib
import io
import json
import runpy
import sys
import traceback

for file in sys.argv[1:]:
    stdout = io.StringIO()
    error = None
    try:
        with contextlib.redirect_stdout(stdout):
            runpy.run_path(file, run_name="__main__")
    except BaseException:
        error = traceback.format_exc()
    print(json.dumps({"file": file, "stdout": stdout.getvalue(), "error": error}), flush=True)
