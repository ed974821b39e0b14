import { defineCause } from '../cause.ts'
import { lastStep, lastVerdict, type SupportCase, stepsOf, warnsOf } from '../support-case.ts'

/** A page with more text than this is about something. */
const longestNotice = 1200

export const soft404 = defineCause({
  name: 'soft-404',
  find(facts) {
    const isTold =
      /not found, although|parked or for sale/.test(lastVerdict(facts)?.reason ?? '') ||
      warnsOf(facts, /not found, although|parked or for sale/)
    const home = homeInstead(facts)
    const isSaid = saysGone(facts)
    if (!isTold && !isSaid && home === undefined) return undefined
    return {
      sureness: isTold ? 0.93 : isSaid ? 0.88 : 0.84,
      diagnosis:
        isTold || isSaid
          ? 'The site answers 200 with a page that says that there is nothing at this address.'
          : `The site has no page at this address any more and leads visitors to ${home} instead.`,
      advice: 'Check the URL; POST /v2/map lists the addresses that the site knows.',
    }
  },
})

const gone =
  /\b(?:no longer|not|n't)\b.{0,20}\b(?:available|exists?|found|here|online|offered|sold)\b|\b(?:was|were|been|is|are) (?:removed|deleted|discontinued|withdrawn|archived)\b|\bunavailable\b|\bexpired\b|nicht (?:mehr )?(?:gefunden|verfügbar|vorhanden|erhältlich)|introuvable|n'(?:existe|est) plus|plus disponible|no (?:se ha )?encontrad|ya no (?:está|existe)|non (?:è più )?(?:trovat|disponibil)|niet (?:meer )?(?:gevonden|beschikbaar)/i

/** Whether a short page says in its heading that what was looked for is gone. */
function saysGone(facts: SupportCase): boolean {
  const { page, document } = facts
  if (!page || page.error || (lastStep(facts, 'fetch')?.status ?? 200) >= 400) return false
  const text = document?.markdown ?? ''
  if (text === '' || text.length > longestNotice) return false
  const headings = text.match(/^#{1,3} .{1,200}$/gm) ?? []
  return [...headings, String(document?.metadata?.title ?? '')].some((line) => gone.test(line))
}

/** Where the site leads to instead of an address deep in it: its home page, or one page for all. */
function homeInstead(facts: SupportCase): string | undefined {
  const landed = landingOf(facts.page)
  const asked = URL.parse(facts.page?.target ?? '')
  const there = URL.parse(landed ?? '')
  if (asked === null || there === null || asked.pathname.length <= 3) return undefined
  const isHome = /^\/(?:[a-z]{2}(?:[-_][a-z]{2})?\/?)?(?:index\.\w+|home|start|welcome)?\/?$/i.test(
    there.pathname,
  )
  const others = facts.children.filter(
    (child) => child.target !== facts.page?.target && landingOf(child) === landed,
  )
  return isHome || others.length > 0 ? landed?.slice(0, 150) : undefined
}

const landingOf = (page: SupportCase['page']) =>
  stepsOf({ job: page, children: [] }, 'fetch').findLast(({ url }) => url !== undefined)?.url
