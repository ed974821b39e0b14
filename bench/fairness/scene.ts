import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { Agent, request } from 'undici'
import { runCommand, startService, temporaryFolder } from '../../test/service.ts'
import { type Site, startSite } from '../../test/site/site.ts'
import { median } from '../figure.ts'

export type Call = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<Answer>

// biome-ignore lint/suspicious/noExplicitAny: benchmarks read responses field by field
export type Answer = any

/** Service with two teams: a greedy team that uses as many resources as possible, and a modest team. */
export interface Scene {
  url: string
  greedy: Call
  modest: Call
  site: Site
  environment: Record<string, string>
  /** API keys of the teams. */
  keys: Record<'greedy' | 'modest', string>
  stop(): Promise<void>
}

export async function startScene(changes: Record<string, string> = {}): Promise<Scene> {
  const folder = temporaryFolder()
  const site = await startSite()
  const environment = {
    ...{ DATA_DIR: folder.path, API_KEY: 'fc-bench-key', ALLOW_PRIVATE_NETWORK: '127.0.0.1' },
    ...{ RATE_PER_MINUTE: '1000000', CHECK_RESPONSES: 'off', LOG_LEVEL: 'error', ...changes },
  }
  const service = await startService(environment)
  const created = await runCommand(['key', 'create', '--team', 'modest'], environment)
  const modestKey = /fc-\w+/.exec(created.stdout)?.[0] ?? ''
  const dispatcher = new Agent({ connections: 512 })
  const callAs =
    (key: string): Call =>
    async (method, path, body) => {
      const response = await request(service.url + path, {
        ...{ dispatcher, method, headersTimeout: 0, bodyTimeout: 0 },
        headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      const text = await response.body.text()
      if (response.statusCode !== 200) throw new Error(`${response.statusCode} ${text.slice(0, 300)}`)
      return text.startsWith('{') ? JSON.parse(text) : text
    }
  return {
    ...{ url: service.url, site, environment, greedy: callAs('fc-bench-key'), modest: callAs(modestKey) },
    keys: { greedy: 'fc-bench-key', modest: modestKey },
    async stop() {
      await dispatcher.destroy()
      await service.kill()
      await site.stop()
      folder.remove()
    },
  }
}

export async function startLinkTrap(links: number): Promise<{ url: string; stop(): Promise<unknown> }> {
  const worker = new Worker(new URL('./trap-site.ts', import.meta.url), { workerData: { links } })
  const [url] = (await once(worker, 'message')) as [string]
  return { url, stop: () => worker.terminate() }
}

/** Repeats a call sequentially for some time, with pauses. Returns the duration of each call. */
export async function measureTimes(
  work: () => Promise<unknown>,
  { forMs, pause, atLeast = 1 }: { forMs: number; pause: number; atLeast?: number },
): Promise<number[]> {
  const durations: number[] = []
  const endsAt = performance.now() + forMs
  while (performance.now() < endsAt || durations.length < atLeast) {
    const startedAt = performance.now()
    await work()
    durations.push(performance.now() - startedAt)
    await sleep(pause)
  }
  return durations
}

export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export { median }
