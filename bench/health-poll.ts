import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { Agent, request } from 'undici'

export interface Sample {
  ms: number
  /** Processor time of the main thread meanwhile: on a machine with other work, `ms` has the wait for a core in it. */
  workedMs: number
}

/** Asks the service whether it lives, over and over, from a thread of its own; hands out how long it took. */
const { url, pid } = workerData as { url: string; pid: number }
const dispatcher = new Agent({ connections: 1 })
let samples: Sample[] = []
const worked = () => Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6

parentPort?.on('message', () => {
  parentPort?.postMessage(samples)
  samples = []
})

for (;;) {
  const [began, before] = [performance.now(), worked()]
  const { body } = await request(`${url}/health/live`, { dispatcher, headersTimeout: 0, bodyTimeout: 0 })
  await body.dump()
  samples.push({ ms: performance.now() - began, workedMs: worked() - before })
  await new Promise((resolve) => setTimeout(resolve, 5))
}
