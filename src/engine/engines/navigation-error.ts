import { AppError, type ErrorCode } from '../../base/errors.ts'

/** What Chromium says when a navigation fails → a code of the table. */
const codes: [RegExp, ErrorCode][] = [
  [/refused TARGET_FORBIDDEN|ERR_BLOCKED_BY_CLIENT|ERR_UNSAFE_PORT/, 'TARGET_FORBIDDEN'],
  [/refused SCRAPE_DNS|ERR_NAME_NOT_RESOLVED/, 'SCRAPE_DNS_RESOLUTION_ERROR'],
  [/ERR_CERT_|ERR_SSL_|ERR_BAD_SSL/, 'SCRAPE_SSL_ERROR'],
  [/ERR_TOO_MANY_REDIRECTS/, 'SCRAPE_TOO_MANY_REDIRECTS'],
]

export function navigationError(message: string, cause?: unknown): AppError {
  const code = codes.find(([pattern]) => pattern.test(message))?.[1] ?? 'SCRAPE_SITE_ERROR'
  const name = /net::(ERR_\w+)/.exec(message)?.[1]
  return new AppError(code, { phase: 'navigate', ...(name ? { cause: name } : {}) }, { cause })
}
