import type { Clock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import { bodyBound, type Engine } from '../fetch-outcome.ts'
import type { HttpClient } from '../network/client.ts'
import { type ChromiumDeps, chromiumEngine } from './chromium.ts'

interface HttpDeps {
  client: HttpClient
  clock: Clock
}

/** Returns the engines, cheapest first; only HTTP if this machine has no browser. */
export function engines(deps: HttpDeps & { chromium: ChromiumDeps | undefined }): Engine[] {
  return [httpEngine(deps), ...(deps.chromium ? [chromiumEngine(deps.chromium)] : [])]
}

function httpEngine(deps: HttpDeps): Engine {
  return {
    name: 'http',
    async fetch(plan, tier, deadline) {
      try {
        const request = {
          owner: { team: plan.teamId, job: plan.jobId },
          url: plan.url,
          headers: plan.ownHeaders,
          callerHeaders: plan.headers,
          verifyTls: plan.verifyTls,
          bound: (headers: Record<string, string>) => bodyBound(headers, plan.maxBytes),
          permit: plan.permit.need,
          upstream: tier.upstream,
          asBrowser: tier.asBrowser,
          cookies: plan.profile?.state?.cookies,
        }
        const response = await deadline.during('fetch', (signal) => deps.client.get(request, signal))
        const { status, headers, bytes, warnings } = response
        const urls = { requestedUrl: plan.url.href, url: response.url.href }
        const page = { ...urls, status, headers, bytes, fetchedAt: deps.clock.now() }
        if (plan.profile?.isSaved)
          warnings.push('The profile was not saved, because files are fetched without a browser.')
        return { kind: 'fetched', page, warnings }
      } catch (thrown) {
        if (thrown instanceof AppError && thrown.code !== 'SCRAPE_TIMEOUT')
          return { kind: 'failed', error: thrown }
        throw thrown
      }
    },
  }
}
