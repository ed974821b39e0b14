import type { Page } from '../../content/page.ts'
import { writtenAttributes } from '../../content/tree/tree.ts'
import { holdsCaptcha, isDemand, speaksToBots } from './bot-words.ts'
import { guards } from './guards.ts'
import type { PageFacts } from './page-facts.ts'

/** What the answer says before its body is read. */
export function challengeInHeaders({ status, headers }: Page): string | undefined {
  if (headers['cf-mitigated'] === 'challenge') return refusedBy('Cloudflare')
  if (/^(?:challenge|captcha)/i.test(headers['x-amzn-waf-action'] ?? '')) return refusedBy('AWS WAF')
  if (headers['x-vercel-mitigated'] === 'challenge') return refusedBy('Vercel')
  // A status that no standard knows, by which one network turns programs away.
  if (status === 999) return refusedBy('LinkedIn')
  if (!refusals.has(status)) return undefined
  if (headers['x-sucuri-block'] !== undefined) return refusedBy('Sucuri')
  if (headers['x-kpsdk-ct'] !== undefined || headers['x-kpsdk-r'] !== undefined) return refusedBy('Kasada')
  if (headers['x-dd-b'] !== undefined || /^datadome/i.test(headers.server ?? '')) return refusedBy('DataDome')
  return undefined
}

/** A refusal without markup, as programs are given it. */
export function challengeInText({ status, headers }: Page, text: string): string | undefined {
  if (!refusals.has(status) || text.length > 2000) return undefined
  if (/\bcaptcha-delivery\.com\//.test(text)) return refusedBy('DataDome')
  if (/^error code: 10\d\d\b/.test(text) && headers.server === 'cloudflare') return refusedBy('Cloudflare')
  return speaksToBots(text) ? askedForProof : undefined
}

/**
 * Markers are looked for in the markup alone, never in what a page says, and on pages with little to say:
 * the same guards put scripts into the pages that they let through, and people write about them.
 */
export function challengeInPage(page: Page, facts: PageFacts): string | undefined {
  const isRefused = refusals.has(page.status)
  const text = facts.prose + facts.linked + facts.around
  if (facts.isPlenty || (!isRefused && text > 1500)) return undefined
  const attributes = facts.elements.map((node) => writtenAttributes(facts.tree, node))
  const markup = [...attributes, ...facts.code].join('\n')
  for (const guard of guards) {
    if (text > (isRefused ? guard.mostWhenRefused : guard.most)) continue
    if (guard.markup.test(markup)) return refusedBy(guard.name)
  }
  if (isRefused && facts.blocks.some((block) => akamaiReference.test(block))) return refusedBy('Akamai')
  if (facts.prose < 400 && facts.blocks.some((block) => f5Words.test(block))) return refusedBy('F5')
  return isChallenge(facts, markup, isRefused) ? askedForProof : undefined
}

const askedForProof = 'the site asks its visitors to prove that they are human'
const refusedBy = (guard: string) => `the site refuses the visit or puts a check before it (${guard})`

/** Answers that refuse a visitor, or put them off. */
const refusals = new Set([401, 403, 405, 406, 407, 429, 503])

/** The number on the pages by which Akamai turns visitors away. */
const akamaiReference = /Reference\s#\d+\.[\da-f]+\.\d+\.[\da-f]+|errors\.edgesuite\.net/

/** On a page that comes with status 200. */
const f5Words = /The requested URL was rejected\. Please consult with your administrator/

/** A demand by no guard we know. Without a refusal, the words alone prove nothing. */
function isChallenge(facts: PageFacts, markup: string, isRefused: boolean): boolean {
  const isHeaded = [facts.title, ...facts.headings].some(isDemand)
  if (facts.prose > 1500 || !(isHeaded || facts.blocks.some(speaksToBots))) return false
  if (isRefused) return true
  // A contact form has its captcha beside other fields.
  if (facts.linked > 300 || facts.prose > 1000 || facts.fields > 0) return false
  return (isHeaded && facts.scripts > 0) || holdsCaptcha(markup)
}
