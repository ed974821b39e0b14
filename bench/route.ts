import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { temporaryFolder } from '../test/service.ts'
import { atMost, type Figure, figure, median } from './figure.ts'

const calls = 10_000
const rounds = 7

/** Measures the processor time per call that key, rate limit, validation, metrics and log line add to a bare route. */
export async function measure(): Promise<Figure[]> {
  const folder = temporaryFolder()
  const servers = {
    bare: await startServer('bare', folder.path),
    winnow: await startServer('winnow', folder.path),
  }
  const costs: Record<keyof typeof servers, number[]> = { bare: [], winnow: [] }
  // The servers alternate, so that other load on the machine affects both.
  for (let round = 0; round < rounds + 2; round += 1) {
    for (const name of ['bare', 'winnow'] as const) {
      const cost = await measureCostPerCall(servers[name])
      if (round > 1) costs[name].push(cost)
    }
  }
  for (const server of Object.values(servers)) server.child.kill()
  folder.remove()
  const [bare, winnow] = [median(costs.bare), median(costs.winnow)]
  return [
    figure('bare Fastify route, processor time per call', bare * 1000, 'µs'),
    figure('validated route of the service, processor time per call', winnow * 1000, 'µs'),
    atMost('validated route against bare route', winnow / bare, 1.5, 'times'),
  ]
}

interface MeasuredServer {
  child: ChildProcess
  port: number
}

async function startServer(kind: string, folder: string): Promise<MeasuredServer> {
  const program = fileURLToPath(new URL('./route-server.ts', import.meta.url))
  const child = fork(program, [kind, folder], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  const [line] = await once(child.stderr ?? process.stdin, 'data')
  return { child, port: Number(/port (\d+)/.exec(String(line))?.[1]) }
}

async function measureCostPerCall({ child, port }: MeasuredServer): Promise<number> {
  const before = await readProcessorMs(child)
  const { non2xx, errors } = await autocannon({
    url: `http://127.0.0.1:${port}/route`,
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer fc-bench-key' },
    body: JSON.stringify({ url: 'https://example.com/some/page', formats: ['markdown'], timeout: 30_000 }),
    connections: 10,
    amount: calls,
  })
  if (non2xx > 0 || errors > 0) throw new Error(`${non2xx} calls were refused and ${errors} failed.`)
  return ((await readProcessorMs(child)) - before) / calls
}

async function readProcessorMs(child: ChildProcess): Promise<number> {
  child.send('usage')
  const [usage] = await once(child, 'message')
  return (usage.user + usage.system) / 1000
}
