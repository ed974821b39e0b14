import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, inject } from 'vitest'
import { makeIds } from '../../bench/health/real-ids.ts'
import { endWork, sendCall, type Target } from '../../bench/health/send-call.ts'
import { callsOf, jsonCalls, sources, type WorstCall } from '../../bench/health/worst-calls.ts'
import { attackClass, isWhole } from './attack.ts'

/** Routes whose calls need nothing outside the service, or little; the whole form sends those of all routes. */
const shortRoutes =
  /^POST \/v2\/(?:feedback|map|search\/developer|support\/ask|webhooks\/test|crawl\/params-preview)$/
const chosen = isWhole ? sources : sources.filter(({ route }) => shortRoutes.test(route))

let site: Worker
let target: Target

beforeAll(async () => {
  site = new Worker(new URL('../../bench/health/call-site.ts', import.meta.url))
  const [siteUrl] = await once(site, 'message')
  const { urls, key } = inject('deployment')
  target = { url: urls[0] ?? '', key, site: siteUrl, ids: {} }
  if (isWhole) target = await makeIds(target)
}, 120_000)
afterAll(async () => {
  await site.terminate()
})

attackClass({
  name: 'worst calls: every field of a route at its bound',
  vectors: [...chosen.map(({ route }) => route), 'JSON'],
  timeout: isWhole ? 1_500_000 : 150_000,
  strike: async (route) => {
    const [source] = sources.filter((one) => one.route === route)
    const all = source ? callsOf(source, target.site) : jsonCalls()
    for (const call of someOf(all)) {
      const { status, outcome } = await sendCall(target, call, 20_000)
      await endWork(target, call, 0)
      // Clients of this API expect 500 for a page beyond a bound; the response names the bound.
      const isNamed = / MAX_\w+$/.test(outcome)
      // A service that cannot do something for want of a model or a provider says so with a code of its own.
      if ((status === 500 && !isNamed) || outcome.startsWith('failed')) return `${call.what}: ${outcome}`
    }
    const blocked = await timesBlocked(target)
    return blocked === 0 ? undefined : `the event loop was blocked ${blocked} times`
  },
})

/** Some of those that are accepted, and some of those that are refused late; `npm run bench -- health --calls` sends all. */
function someOf(all: WorstCall[]): WorstCall[] {
  const isLate = ({ what }: WorstCall) => what.startsWith('refused late')
  return [...all.filter((call) => !isLate(call)).slice(0, 8), ...all.filter(isLate).slice(0, 8)]
}

async function timesBlocked({ url, key }: Target): Promise<number> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${key}` } })
  const line = /^winnow_event_loop_blocked_total(?:\{[^}]*\})? (\d+)/m.exec(await response.text())
  if (!line) throw new Error('The metrics do not have winnow_event_loop_blocked_total.')
  return Number(line[1])
}
