import { urlKey } from '../discover/url-key.ts'
import type { AgentInput } from './stored.ts'

/** How often the model is asked for the next step, by effort. */
const mostSteps = { low: 5, medium: 10, high: 20 }

export function mostStepsOf({ request }: AgentInput): number {
  return mostSteps[request.effort ?? 'medium']
}

/** How many more pages the budget of the caller lets be read. */
export function pagesInBudget({ input, credits }: { input: AgentInput; credits: number }): number {
  return Math.max(0, Math.floor((input.request.maxCredits - credits) / input.price))
}

/** Whether the caller lets this address be read. */
export function mayRead({ request }: AgentInput, url: URL): boolean {
  if (!request.strictConstrainToURLs) return true
  return request.urls.some((given) => {
    const isSite = given.endsWith('/*')
    const allowed = URL.parse(isSite ? given.slice(0, -2) : given)
    if (!allowed) return false
    const isBelow = isSite && url.href.startsWith(given.slice(0, -1))
    return isBelow || keyOf(allowed) === keyOf(url)
  })
}

export const keyOf = (url: URL) => urlKey(url, { similar: false, withoutQuery: false })
