import type { Page } from '../../content/page.ts'
import { attr } from '../../content/tree/names.ts'
import { attribute } from '../../content/tree/tree.ts'
import type { PageFacts } from './page-facts.ts'
import { asksToLogIn, isOfParking, offersDomain, saysNotFound } from './remark-words.ts'

/** On what the owner of an address without a site has put there. */
export function parkedRemark(page: Page, facts: PageFacts): string | undefined {
  if (facts.isPlenty || facts.prose + facts.linked > 800 || page.status >= 400) return undefined
  const host = URL.parse(page.url)?.hostname.replace(/^www\./, '') ?? ''
  const said = [facts.title, ...facts.headings, ...facts.blocks].join('\n').toLowerCase()
  const isOffered = offersDomain(said) || (host !== '' && said.includes(`${host} is for sale`))
  if (!isOffered && !facts.code.some(isOfParking) && !loadsParking(facts)) return undefined
  return 'The domain seems to be parked or for sale; this is not the page of a site.'
}

/** A link to such a service means nothing. */
const loadsParking = ({ tree, elements }: PageFacts) =>
  elements.some((node) => isOfParking(attribute(tree, node, attr.src) ?? ''))

/** On a page that says "not found" under a status that says all is well. */
export function notFoundRemark(page: Page, facts: PageFacts): string | undefined {
  if (facts.isPlenty || page.status >= 400 || facts.prose > 800) return undefined
  if (![facts.title, ...facts.headings].some(saysNotFound)) return undefined
  return `The page says that it was not found, although the server answered ${page.status}.`
}

/** On a page that shows its content only to those it knows. */
export function loginRemark(page: Page, facts: PageFacts): string | undefined {
  if (facts.isPlenty || page.status >= 400) return undefined
  const isSent = loginPath.test(pathOf(page.url)) && !loginPath.test(pathOf(page.requestedUrl))
  const isWall =
    (isSent && facts.prose < 800) ||
    (facts.passwords > 0 && facts.prose < 500) ||
    (facts.prose < 300 && facts.blocks.some(asksToLogIn))
  return isWall ? 'The page asks its visitors to log in; what was requested may lie behind that.' : undefined
}

const pathOf = (url: string) => URL.parse(url)?.pathname ?? ''
const loginPath = /\/(?:users\/|accounts?\/)?(?:log[_-]?in|sign[_-]?in|sso|auth)(?:[/.]|$)/i

/** On a plain refusal, which another way of asking would hardly change. */
export function refusalRemark({ status }: Page): string | undefined {
  return refusals.get(status)
}

const refusals = new Map([
  [401, 'The server answered 401: it wants its visitors to log in.'],
  [403, 'The server answered 403: it does not let this visitor see the page.'],
  [407, 'The server answered 407: a proxy wants its users to log in.'],
  [429, 'The server answered 429: it was asked too often.'],
])
