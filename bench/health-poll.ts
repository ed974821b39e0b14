import { parentPort, workerData } from 'node:worker_threads'
import { Agent, request } from 'undici'

/** Asks the service whether it lives, over and over, from a thread of its own; hands out how long it took. */
const { url } = workerData as { url: string }
const dispatcher = new Agent({ connections: 1 })
let times: number[] = []

parentPort?.on('message', () => {
  parentPort?.postMessage(times)
  times = []
})

for (;;) {
  const began = performance.now()
  const { body } = await request(`${url}/health/live`, { dispatcher, headersTimeout: 0, bodyTimeout: 0 })
  await body.dump()
  times.push(performance.now() - began)
  await new Promise((resolve) => setTimeout(resolve, 5))
}
