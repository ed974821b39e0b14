import type { Page } from '../content/page.ts'
import type { FetchPlan } from './fetch-plan.ts'
import type { Judgement } from './judge/judge-page.ts'

const mostForwards = 5

/** The address as a server is asked for it. */
const asked = ({ href, hash }: URL) => href.slice(0, href.length - hash.length)

/**
 * How to go on where a page that came by HTTP does nothing but send its visitors elsewhere: the plan for that address. Undefined where it
 * is no such page, where it leads back, or where it has set a cookie, without which its target may say something else: there
 * a browser does what people see.
 */
export function forwardPlan(
  plan: FetchPlan,
  page: Page,
  { judgement, passed }: { judgement: Judgement; passed: readonly string[] },
): FetchPlan | undefined {
  if (judgement.kind !== 'needs-browser' || judgement.forward === undefined) return undefined
  if (page.text !== undefined || plan.browserReason !== undefined || 'set-cookie' in page.headers)
    return undefined
  const url = URL.parse(judgement.forward, page.url)
  if (!url || !/^https?:$/.test(url.protocol) || passed.length >= mostForwards) return undefined
  if ([...passed, asked(plan.url), asked(new URL(page.url))].includes(asked(url))) return undefined
  // What the caller sends is meant for the site that was asked for.
  return url.origin === plan.url.origin ? { ...plan, url } : { ...plan, url, headers: {} }
}

/** The addresses that were passed, with this one. */
export function passing(passed: readonly string[], { url }: Pick<FetchPlan, 'url'>): string[] {
  return [...passed, asked(url)]
}
