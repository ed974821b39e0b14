import { defineCause } from '../cause.ts'
import { trouble } from '../choose-job.ts'
import { labelsOf } from '../judge-page.ts'
import { lastStep, markdownLength, missesContent, speaksOf, stepsOf, warnsOf } from '../support-case.ts'

export const lateContent = defineCause({
  name: 'late-content',
  find(facts) {
    if (!facts.page || facts.page.error || lastStep(facts, 'convert')) return undefined
    const usedBrowser = stepsOf({ job: facts.page, children: [] }, 'fetch').some(
      ({ engine }) => engine === 'chromium',
    )
    const isCut =
      warnsOf(facts, /still loading/) ||
      stepsOf(facts, 'wait').some(({ endedBy }) => endedBy === 'out of time')
    const text = (facts.document?.markdown ?? '').slice(0, 3000)
    const saysLoading = /\b(loading|please wait|one moment|wird geladen|chargement|cargando)\b/i.test(text)
    const isAsked = speaksOf(
      facts,
      /load(s|ing|ed)? (late|later|slow|lazi|after)|lazy|spinner|loading|placeholder|skeleton|appears? (later|after)|infinite scroll|scroll|dynamic|ajax|click|button|tab\b|press/i,
    )
    const isThin = (markdownLength(facts) ?? Number.POSITIVE_INFINITY) < 600
    const clicks = clicksIn(facts.words)
    if (
      !isCut &&
      !saysLoading &&
      !isThin &&
      !isAsked &&
      clicks.length === 0 &&
      !(usedBrowser && missesContent(facts)) &&
      !(facts.job?.kind !== 'crawl' && trouble.test(facts.words))
    )
      return undefined
    return {
      sureness: isCut
        ? 0.88
        : saysLoading
          ? 0.85
          : clicks.length > 0
            ? 0.86
            : isAsked
              ? 0.72
              : usedBrowser
                ? facts.job?.kind === 'crawl'
                  ? 0.45
                  : 0.55
                : isThin
                  ? 0.45
                  : 0.3,
      diagnosis:
        isCut || saysLoading
          ? 'The page was still loading its content when it was read.'
          : 'The page adds its content after it has been opened.',
      advice:
        'Wait longer with waitFor, wait for an element with an action, or scroll to the part that loads on sight.',
      fixes: [
        ...clicks,
        { waitFor: 5000 },
        { waitFor: 12_000 },
        {
          actions: [
            { type: 'scroll', direction: 'down' },
            { type: 'wait', milliseconds: 2000 },
            { type: 'scroll', direction: 'down' },
            { type: 'wait', milliseconds: 2000 },
          ],
        },
      ],
    }
  },
})

/** What the question says has to be pressed: elements by id or by selector. */
function clicksIn(words: string): Record<string, unknown>[] {
  if (!/click|press|button|tap|tab|open|expand|unfold/i.test(words)) return []
  const ids = [...words.matchAll(/\bid\s{0,3}(?:=|is|of|named|called)?\s{0,3}["'`]?([\w-]{2,60})/gi)].map(
    ([, id]) => `#${id}`,
  )
  const selectors = [...words.matchAll(/(?:^|[\s"'`(])([#.][a-z][\w-]{1,60})/gi)].map(
    ([, selector]) => selector ?? '',
  )
  const presses = [
    ...[...new Set([...ids, ...selectors])].map((selector) => ({ type: 'click', selector })),
    ...labelsOf(words).map((label) => ({ type: 'executeJavascript', script: pressing(label) })),
  ]
  return presses.slice(0, 2).map((press) => ({ actions: [press, { type: 'wait', milliseconds: 5000 }] }))
}

/** Presses what carries these words: questions name buttons as people see them. */
const pressing = (label: string) =>
  `[...document.querySelectorAll('button, summary, [role=button], [role=tab], [onclick], label, a')].find((e) => e.textContent.trim().toLowerCase() === ${JSON.stringify(label.toLowerCase())})?.click()`
