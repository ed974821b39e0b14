import type { Clock } from '../../base/clock.ts'
import { AppError } from '../../base/errors.ts'
import type { HttpClient } from '../../network/client.ts'
import type { Engine } from './engine.ts'

/** Plain HTTP with redirects, cookies and a TLS switch; on the enhanced way it looks like a browser on the wire. */
export function httpEngine(needs: { client: HttpClient; clock: Clock }): Engine {
  return {
    name: 'http',
    async fetch(plan, way, deadline) {
      try {
        const request = {
          url: plan.url,
          headers: plan.ownHeaders,
          callerHeaders: plan.headers,
          verifyTls: plan.verifyTls,
          maxBytes: plan.maxBytes,
          upstream: way.upstream,
          asBrowser: way.name === 'enhanced',
        }
        const answer = await deadline.during('fetch', (signal) => needs.client.get(request, signal))
        const page = {
          requestedUrl: plan.url.href,
          url: answer.url.href,
          status: answer.status,
          headers: answer.headers,
          bytes: answer.bytes,
          fetchedAt: needs.clock.now(),
        }
        return { kind: 'fetched', page, warnings: answer.warnings }
      } catch (thrown) {
        if (thrown instanceof AppError && thrown.code !== 'SCRAPE_TIMEOUT')
          return { kind: 'failed', error: thrown }
        throw thrown
      }
    },
  }
}
