import type { EnvironmentName } from './environments.ts'
import type { FixParameters, Kit } from './kit.ts'
import type { Routes } from './web.ts'

export type Half = 'development' | 'kept-back'

export const causes = [
  ...(['empty-content', 'excluded-content', 'javascript-shell', 'late-content', 'consent-wall'] as const),
  ...(['blocked', 'wrong-charset', 'login-redirect', 'soft-404', 'timeout', 'tls-error'] as const),
  ...(['dns-error', 'refused-address', 'robots', 'sitemap', 'single-page-crawl'] as const),
  ...(['patterns-exclude-all', 'limit-reached', 'duplicate-urls', 'stale-cache', 'cache-miss'] as const),
  ...(['wrong-key', 'no-credits', 'rate-limit', 'concurrency-limit', 'webhook-failed'] as const),
  ...(['pdf-scanned', 'file-encrypted', 'file-too-large', 'schema-not-filled'] as const),
  ...(['model-not-configured', 'browser-missing', 'sandbox-missing', 'session-expired'] as const),
  ...(['profile-in-use', 'search-provider-down'] as const),
]

export type Cause = (typeof causes)[number]

/** The body of POST /v2/support/ask. */
export interface Ask {
  question: string
  rationale?: string
  jobId?: string | undefined
  context?: Record<string, unknown>
}

/** One request that went wrong, and how somebody asks about it. */
export interface SupportCase {
  name: string
  cause: Cause
  /** Causes that a fair reader would accept as well. */
  alsoRight?: readonly Cause[]
  environment?: EnvironmentName
  routes?: Routes
  /** Makes the broken call, says by `kit.shows` that it broke as meant, and answers the question about it. */
  arrange(kit: Kit): Promise<Ask>
  /** Only where parameters can mend the request. */
  fix?: {
    /** Some parameters that mend it: they prove that the case can be mended, and no answer has to be like them. */
    remedy: FixParameters
    /** Whether the request brings what was wanted with these parameters, whichever they are. */
    holds(kit: Kit, parameters: FixParameters): Promise<boolean>
  }
}
