import type { Clock } from '../../base/clock.ts'
import { AppError } from '../../base/errors.ts'
import type { HttpClient } from '../../network/client.ts'
import type { Engine } from './engine.ts'

/** Plain HTTP with redirects, cookies and a TLS switch. */
export function httpEngine(needs: { client: HttpClient; clock: Clock }): Engine {
  return {
    name: 'http',
    suits: () => true,
    async fetch(plan, signal) {
      try {
        const answer = await needs.client.get(
          {
            url: plan.url,
            headers: plan.ownHeaders,
            callerHeaders: plan.headers,
            verifyTls: plan.verifyTls,
            maxBytes: plan.maxBytes,
          },
          signal,
        )
        const page = {
          requestedUrl: plan.url.href,
          url: answer.url.href,
          status: answer.status,
          headers: answer.headers,
          bytes: answer.bytes,
          fetchedAt: needs.clock.now(),
        }
        return { kind: 'good', page, warnings: answer.warnings }
      } catch (thrown) {
        if (thrown instanceof AppError) return { kind: 'failed', error: thrown }
        throw thrown
      }
    },
  }
}
