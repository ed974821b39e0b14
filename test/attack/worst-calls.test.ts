import { inject } from 'vitest'
import { endWork, sendCall, type Target } from '../../bench/health/send-call.ts'
import { callsOf, jsonCalls, sources } from '../../bench/health/worst-calls.ts'
import { attackClass, isWhole } from './attack.ts'

/** Routes whose calls need nothing outside the service, or little; the whole form sends those of all routes. */
const shortRoutes =
  /^POST \/v2\/(?:feedback|search\/developer|support\/ask|webhooks\/test|crawl\/params-preview)$/
const chosen = isWhole ? sources : sources.filter(({ route }) => shortRoutes.test(route))
const nowhere = 'http://127.0.0.1:9'

attackClass({
  name: 'worst calls: every field of a route at its bound',
  vectors: [...chosen.map(({ route }) => route), 'JSON'],
  strike: async (route) => {
    const [source] = sources.filter((one) => one.route === route)
    const all = source ? callsOf(source, nowhere) : jsonCalls()
    const target: Target = { url: inject('deployment').urls[0] ?? '', key: inject('deployment').key, ids: {} }
    for (const call of isWhole ? all : all.slice(0, 8)) {
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

async function timesBlocked({ url, key }: Target): Promise<number> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${key}` } })
  const line = /^winnow_event_loop_blocked_total(?:\{[^}]*\})? (\d+)/m.exec(await response.text())
  if (!line) throw new Error('The metrics do not have winnow_event_loop_blocked_total.')
  return Number(line[1])
}
