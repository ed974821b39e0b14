import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, inject } from 'vitest'
import { createIds } from '../../bench/health/real-ids.ts'
import { endWork, sendCall, type Target } from '../../bench/health/send-call.ts'
import { callsOf, jsonCalls, sources, type WorstCall } from '../../bench/health/worst-calls.ts'
import { attackClass, isFull } from './attack.ts'

/** Routes whose calls need little or nothing outside the service. The full form sends the calls of all routes. */
const shortRoutes =
  /^POST \/v2\/(?:feedback|map|search\/developer|support\/ask|webhooks\/test|crawl\/params-preview)$/
const chosenSources = isFull ? sources : sources.filter(({ route }) => shortRoutes.test(route))

let site: Worker
let target: Target

beforeAll(async () => {
  site = new Worker(new URL('../../bench/health/call-site.ts', import.meta.url))
  const [siteUrl] = await once(site, 'message')
  const { urls, key } = inject('deployment')
  target = { url: urls[0] ?? '', key, site: siteUrl, ids: {} }
  if (isFull) target = await createIds(target)
}, 120_000)
afterAll(async () => {
  await site.terminate()
})

attackClass({
  name: 'worst calls: every field of a route at its bound',
  vectors: [...chosenSources.map(({ route }) => route), 'JSON'],
  timeout: isFull ? 1_500_000 : 150_000,
  run: async (route) => {
    const [source] = sources.filter((candidate) => candidate.route === route)
    const all = source ? callsOf(source, target.site) : jsonCalls()
    for (const call of sampleCalls(all)) {
      const { status, outcome } = await sendCall(target, call, 20_000)
      await endWork(target, call, 0)
      // Clients of this API expect 500 for a page that exceeds a bound. The response names the bound.
      const isNamed = / MAX_\w+$/.test(outcome)
      // If a model or a provider is not configured, the service returns a specific error code.
      if ((status === 500 && !isNamed) || outcome.startsWith('failed')) return `${call.label}: ${outcome}`
    }
    const blocked = await timesBlocked(target)
    return blocked === 0 ? undefined : `the event loop was blocked ${blocked} times`
  },
})

/**
 * Returns some accepted calls and some calls that are rejected late. `npm run bench -- health --calls` sends all of
 * them.
 */
function sampleCalls(all: WorstCall[]): WorstCall[] {
  const isLate = ({ label }: WorstCall) => label.startsWith('refused late')
  return [...all.filter((call) => !isLate(call)).slice(0, 8), ...all.filter(isLate).slice(0, 8)]
}

async function timesBlocked({ url, key }: Target): Promise<number> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${key}` } })
  const line = /^winnow_event_loop_blocked_total(?:\{[^}]*\})? (\d+)/m.exec(await response.text())
  if (!line) throw new Error('The metrics do not have winnow_event_loop_blocked_total.')
  return Number(line[1])
}
