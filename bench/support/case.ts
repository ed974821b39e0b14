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

/** Body of POST /v2/support/ask. */
export interface AskRequest {
  question: string
  rationale?: string
  jobId?: string | undefined
  context?: Record<string, unknown>
}

/** Request that fails or returns an unexpected result, and a user's question about it. */
export interface SupportCase {
  name: string
  cause: Cause
  /** Other causes that count as right. */
  acceptedCauses?: readonly Cause[]
  environment?: EnvironmentName
  routes?: Routes
  /** Makes the failing call, checks with `kit.check` that it fails as intended, and returns the question about it. */
  arrange(kit: Kit): Promise<AskRequest>
  /** Undefined if no parameters can fix the request. */
  fix?: {
    /** Parameters that fix the request. They prove that a fix exists; other parameters may also fix it. */
    parameters: FixParameters
    /** Returns true if the request with these parameters returns the expected result. */
    succeeds(kit: Kit, parameters: FixParameters): Promise<boolean>
  }
}
