import type { Causes } from '../cause.ts'
import { trouble } from '../choose.ts'
import { labelsOf } from '../compare-content.ts'
import {
  boilerplateLength,
  isThin,
  lastStep,
  lastVerdict,
  markdownLength,
  mentions,
  missesContent,
  optionOf,
  quotesWarning,
  type SupportCase,
  stepsOf,
} from '../support-case.ts'

export const contentCauses: Causes = {
  'empty-content'(facts) {
    if (!facts.page || facts.page.error || !isThin(facts)) return undefined
    // The start of a crawl is often a list of links.
    const isBlank = (markdownLength(facts) ?? 0) < blank
    if (facts.job?.kind === 'crawl' && !isBlank) return undefined
    const left = boilerplateLength(facts)
    const isMain = optionOf(facts, 'onlyMainContent') !== false
    const whole = lastStep(facts, 'read')?.pageCharacters ?? 0
    return {
      sureness: left > 200 ? 0.75 : isBlank ? 0.7 : missesContent(facts) ? 0.55 : 0.5,
      isSeen: true,
      diagnosis:
        left > 0 && isMain
          ? `Of ${whole} characters of text on the page, ${left} were taken for navigation and other furniture and left out.`
          : 'The page has little text of its own.',
      advice:
        'onlyMainContent: false returns the whole page; mainContentMode: "container" keeps all of the element that holds the content.',
      fixes: isMain ? [{ mainContentMode: 'container' }, { onlyMainContent: false }] : [],
    }
  },

  'excluded-content'(facts) {
    const read = lastStep(facts, 'read')
    const by = (reason: string) => read?.leftOut.find((part) => part.reason === reason)?.characters ?? 0
    const excluded = by('excludeTags')
    const outside = by('outside includeTags')
    const isUnmatched = quotesWarning(facts, /matches includeTags|not a valid CSS selector/)
    // Of an upload it is not on record what was left out.
    const isUnknown = facts.job?.kind === 'parse' && !read
    if (excluded === 0 && outside === 0 && !isUnmatched)
      return isUnknown ? ofUpload(facts) : ofFurniture(facts)
    const whole = Math.max(1, read?.pageCharacters ?? 1)
    const tags = (name: string) => JSON.stringify(optionOf(facts, name) ?? []).slice(0, 100)
    const isExcluding = excluded > 0
    return {
      sureness: isUnmatched ? 0.95 : (excluded + outside) / whole > 0.15 ? 0.92 : 0.6,
      diagnosis: isUnmatched
        ? `includeTags ${tags('includeTags')} matches nothing on the page.`
        : isExcluding
          ? `excludeTags ${tags('excludeTags')} removes ${excluded} of the ${whole} characters of the page.`
          : `includeTags ${tags('includeTags')} leaves out ${outside} of the ${whole} characters of the page.`,
      advice: 'Leave these selectors out, or make them match only what is to be removed or kept.',
      fixes: [
        ...(isExcluding ? [{ excludeTags: [] }] : [{ includeTags: [] }]),
        { includeTags: [], excludeTags: [] },
        { includeTags: [], excludeTags: [], waitFor: 5000 },
      ],
    }
  },

  'javascript-shell'(facts) {
    const verdict = lastVerdict(facts)
    const isShell = verdict?.kind === 'needs-browser' || quotesWarning(facts, /seems to need a browser/)
    const usedBrowser = stepsOf({ job: facts.page, children: [] }, 'fetch').some(
      ({ engine, result }) => engine === 'chromium' && result === 'page',
    )
    const misses =
      facts.page?.error === null && trouble.test(facts.words) && lastStep(facts, 'read') !== undefined
    if (usedBrowser || /consent/.test(verdict?.reason ?? '') || (!isShell && !misses)) return undefined
    const isFast = optionOf(facts, 'fastMode') === true
    return {
      sureness: isShell
        ? 0.94
        : facts.job?.kind === 'crawl' || !missesContent(facts)
          ? 0.35
          : isThin(facts)
            ? 0.45
            : 0.56,
      diagnosis: `Scripts draw the content of the page (${verdict?.reason ?? 'some of it is missing without them'}), and no browser ran them${isFast ? ' because fastMode forbids one' : ''}.`,
      advice: isFast ? 'Leave fastMode out.' : 'Let the page be opened in a browser.',
      fixes: isShell ? [{ fastMode: false }, { fastMode: false, waitFor: 3000 }] : [{ waitFor: 2500 }],
    }
  },

  'late-content'(facts) {
    if (!facts.page || facts.page.error || lastStep(facts, 'convert')) return undefined
    const usedBrowser = stepsOf({ job: facts.page, children: [] }, 'fetch').some(
      ({ engine }) => engine === 'chromium',
    )
    const isCut =
      quotesWarning(facts, /still loading/) ||
      stepsOf(facts, 'wait').some(({ endedBy }) => endedBy === 'out of time')
    const text = (facts.document?.markdown ?? '').slice(0, 3000)
    const saysLoading = /\b(loading|please wait|one moment|wird geladen|chargement|cargando)\b/i.test(text)
    const isAsked = mentions(
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

  'wrong-charset'(facts) {
    const isGarbled = garbled.test(facts.document?.markdown ?? '')
    const isAsked =
      garbled.test(facts.words) ||
      mentions(
        facts,
        /garbl|garbage|gibberish|mojibake|encoding|charset|umlaut|accent|question marks|boxes|strange (char|letter|symbol)|weird (char|letter|symbol)|unreadable/i,
      )
    if (!isGarbled && !isAsked) return undefined
    const type = stepsOf(facts, 'fetch').at(-1)?.contentType
    return {
      sureness: isGarbled && isAsked ? 0.96 : isGarbled ? 0.85 : 0.6,
      diagnosis: `The page declares another encoding than it is written in${type === undefined ? '' : ` (its type is ${type.slice(0, 80)})`}, so its letters are read wrongly, as in a browser.`,
      advice:
        'Only the site can correct what it declares; rawBase64 returns its bytes, which you can decode with the right encoding.',
    }
  },

  'schema-not-filled'(facts) {
    const isMissing = quotesWarning(facts, /json: (not found|nothing that was asked|the schema requires)/)
    const asksForJson = /"json"/.test(JSON.stringify(optionOf(facts, 'formats') ?? ''))
    if (!isMissing && !(asksForJson && mentions(facts, /schema|field|json|extract|null|empty/i)))
      return undefined
    const model = facts.capabilities.find(({ name }) => name === 'language model')
    const told = /json: not found on the page, and left out: ([^.]+)\./.exec(
      facts.document?.warning ?? '',
    )?.[1]
    return {
      sureness: isMissing ? 0.9 : 0.5,
      diagnosis: `The page does not state ${told === undefined ? 'all fields of the schema' : told.slice(0, 200)} where rules can read it, and nothing is made up for them.`,
      advice: model?.available
        ? 'Describe the fields with the words that the page uses, or check that the page shows them.'
        : 'Describe the fields with the words that the page uses; a language model (MODEL_URL) reads what rules cannot.',
      fixes: [{ waitFor: 3000 }, { waitFor: 8000 }],
    }
  },
}

/** Below this, a page has no Markdown to speak of. */
const blank = 20

function ofUpload(facts: SupportCase) {
  const names = ['excludeTags', 'includeTags'].filter((name) => {
    const tags = optionOf(facts, name)
    return Array.isArray(tags) && tags.length > 0
  })
  if (names.length === 0 || !missesContent(facts)) return undefined
  return {
    sureness: 0.8,
    diagnosis: `Only a part of the file was asked for, with ${names.map((name) => `${name} ${JSON.stringify(optionOf(facts, name)).slice(0, 100)}`).join(' and ')}.`,
    advice: 'Leave these selectors out, or make them match only what is to be removed or kept.',
    fixes: [Object.fromEntries(names.map((name) => [name, []]))],
  }
}

/** A part of a page that has text enough: in its footer, its menu or beside its content. */
function ofFurniture(facts: SupportCase) {
  const left = boilerplateLength(facts)
  const isMain = optionOf(facts, 'onlyMainContent') !== false
  if (left === 0 || !isMain || isThin(facts) || !trouble.test(facts.words)) return undefined
  return {
    sureness: missesContent(facts) ? 0.66 : 0.4,
    diagnosis: `onlyMainContent leaves out headers, menus, footers and what stands beside the content: ${left} characters of this page.`,
    advice:
      'onlyMainContent: false returns the whole page; includeTags with the selector of the part returns that alone.',
    fixes: [{ onlyMainContent: false }, { mainContentMode: 'container' }],
  }
}

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

/** UTF-8 that was read as a single-byte encoding, and bytes that are no UTF-8. */
const garbled = /Ã[\u0080-\u00bf\u0152-\u0192\u2018-\u203a]|Ã[¤¶¼Ÿ„–œ©¨ª«]|â€[™œž“”˜¢¦]|Â[ °£§«»©®]|\ufffd/
