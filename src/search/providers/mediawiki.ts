import { z } from 'zod'
import { ProviderFailure, type ProviderProblem } from './provider.ts'

/** The part of every answer that MediaWiki puts its errors into, with status 200. */
export const mediaWikiError = z.object({ code: z.string(), info: z.string().optional() }).optional()

const problems = new Map<string, ProviderProblem>([
  ['ratelimited', 'rate-limited'],
  ['blocked', 'blocked'],
  ['autoblocked', 'blocked'],
  ['permissiondenied', 'blocked'],
])

export function refuseMediaWikiError(error: z.output<typeof mediaWikiError>, name: string): void {
  if (error === undefined) return
  const problem = problems.get(error.code) ?? 'failed'
  throw new ProviderFailure(problem, `${name} answered: ${(error.info ?? error.code).slice(0, 200)}`)
}
