import { z } from 'zod'
import { ProviderFailure, type ProviderProblem } from './provider.ts'

/** The part of every answer that MediaWiki puts its errors into, with status 200. */
export const mediaWikiError = z.object({ code: z.string(), info: z.string().optional() }).optional()

const problems = new Map<string, ProviderProblem>([
  ['ratelimited', 'rate-limited'],
  ['blocked', 'blocked'],
  ['autoblocked', 'blocked'],
  ['permissiondenied', 'blocked'],
  ['maxlag', 'failed'],
  ['readonly', 'failed'],
])

/** Codes of internal errors begin with this; the others are about the request. */
const internalError = 'internal_api_error'

function problemOf(code: string): ProviderProblem {
  return problems.get(code) ?? (code.startsWith(internalError) ? 'failed' : 'refused')
}

export function refuseMediaWikiError(error: z.output<typeof mediaWikiError>, name: string): void {
  if (error === undefined) return
  const problem = problemOf(error.code)
  throw new ProviderFailure(problem, `${name} answered with an error`, { said: error.info ?? error.code })
}
