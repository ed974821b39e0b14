import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { Agent, request } from 'undici'

export interface Sample {
  ms: number
  /**
   * Processor time of the main thread during the request. On a busy machine, `ms` also includes the wait for a core.
   */
  workedMs: number
}

/** Polls the liveness of the service from a separate thread, and sends the response times on request. */
const { url, pid } = workerData as { url: string; pid: number }
const dispatcher = new Agent({ connections: 1 })
let samples: Sample[] = []
const readWorkedMs = () =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6

parentPort?.on('message', () => {
  parentPort?.postMessage(samples)
  samples = []
})

for (;;) {
  const [startedAt, before] = [performance.now(), readWorkedMs()]
  const { body } = await request(`${url}/health/live`, { dispatcher, headersTimeout: 0, bodyTimeout: 0 })
  await body.dump()
  samples.push({ ms: performance.now() - startedAt, workedMs: readWorkedMs() - before })
  await new Promise((resolve) => setTimeout(resolve, 5))
}
