import { type Causes, firstOf } from '../cause.ts'
import { problemWords } from '../choose.ts'
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
  pageSteps,
  quotesWarning,
  removedLength,
  type SupportCase,
  stepsOf,
} from '../support-case.ts'

export const contentCauses: Causes = {
  'empty-content'(facts) {
    if (!facts.page || facts.page.error || !isThin(facts)) return undefined
    // The start page of a crawl is often a list of links.
    const isBlank = (markdownLength(facts) ?? 0) < 20
    if (facts.job?.kind === 'crawl' && !isBlank) return undefined
    const removed = boilerplateLength(facts)
    const isMain = optionOf(facts, 'onlyMainContent') !== false
    const pageLength = lastStep(facts, 'read')?.pageCharacters ?? 0
    return {
      confidence: removed > 200 ? 0.75 : isBlank ? 0.7 : missesContent(facts) ? 0.55 : 0.5,
      isObserved: true,
      diagnosis:
        removed > 0 && isMain
          ? `Of ${pageLength} characters of text on the page, ${removed} were taken for navigation and other furniture and left out.`
          : 'The page has little text of its own.',
      advice:
        'onlyMainContent: false returns the whole page; mainContentMode: "container" keeps all of the element that holds the content.',
      fixes: isMain ? [{ mainContentMode: 'container' }, { onlyMainContent: false }] : [],
    }
  },

  'excluded-content'(facts) {
    const read = lastStep(facts, 'read')
    const excluded = removedLength(facts, 'excludeTags')
    const outside = removedLength(facts, 'outside includeTags')
    const hasUnmatchedSelector = quotesWarning(facts, /matches includeTags|not a valid CSS selector/)
    if (excluded === 0 && outside === 0 && !hasUnmatchedSelector)
      // The trace of an upload does not record what was removed.
      return facts.job?.kind === 'parse' && !read ? uploadFinding(facts) : boilerplateFinding(facts)
    const pageLength = Math.max(1, read?.pageCharacters ?? 1)
    const tags = (name: string) => JSON.stringify(optionOf(facts, name) ?? []).slice(0, 100)
    return {
      confidence: hasUnmatchedSelector ? 0.95 : (excluded + outside) / pageLength > 0.15 ? 0.92 : 0.6,
      diagnosis: hasUnmatchedSelector
        ? `includeTags ${tags('includeTags')} matches nothing on the page.`
        : excluded > 0
          ? `excludeTags ${tags('excludeTags')} removes ${excluded} of the ${pageLength} characters of the page.`
          : `includeTags ${tags('includeTags')} leaves out ${outside} of the ${pageLength} characters of the page.`,
      advice: 'Leave these selectors out, or make them match only what is to be removed or kept.',
      fixes: [
        excluded > 0 ? { excludeTags: [] } : { includeTags: [] },
        { includeTags: [], excludeTags: [] },
        { includeTags: [], excludeTags: [], waitFor: 5000 },
      ],
    }
  },

  'javascript-shell'(facts) {
    const verdict = lastVerdict(facts)
    const isShell = verdict?.kind === 'needs-browser' || quotesWarning(facts, /seems to need a browser/)
    const usedBrowser = pageSteps(facts.page, 'fetch').some(
      ({ engine, result }) => engine === 'chromium' && result === 'page',
    )
    const isContentMissing =
      facts.page?.error === null &&
      problemWords.test(facts.questionText) &&
      lastStep(facts, 'read') !== undefined
    if (usedBrowser || /consent/.test(verdict?.reason ?? '') || (!isShell && !isContentMissing))
      return undefined
    const isFast = optionOf(facts, 'fastMode') === true
    return {
      confidence: firstOf(
        [isShell, 0.94],
        [facts.job?.kind === 'crawl' || !missesContent(facts), 0.35],
        [isThin(facts), 0.45],
        [true, 0.56],
      ),
      diagnosis: `Scripts draw the content of the page (${verdict?.reason ?? 'some of it is missing without them'}), and no browser ran them${isFast ? ' because fastMode forbids one' : ''}.`,
      advice: isFast ? 'Leave fastMode out.' : 'Let the page be opened in a browser.',
      fixes: isShell ? [{ fastMode: false }, { fastMode: false, waitFor: 3000 }] : [{ waitFor: 2500 }],
    }
  },

  'late-content'(facts) {
    if (!facts.page || facts.page.error || lastStep(facts, 'convert')) return undefined
    const isCrawl = facts.job?.kind === 'crawl'
    const usedBrowser = pageSteps(facts.page, 'fetch').some(({ engine }) => engine === 'chromium')
    const isCut =
      quotesWarning(facts, /still loading/) ||
      stepsOf(facts, 'wait').some(({ endedBy }) => endedBy === 'out of time')
    const text = (facts.document?.markdown ?? '').slice(0, 3000)
    const isLoadingText = /\b(loading|please wait|one moment|wird geladen|chargement|cargando)\b/i.test(text)
    const isMentioned = mentions(
      facts,
      /load(s|ing|ed)? (late|later|slow|lazi|after)|lazy|spinner|loading|placeholder|skeleton|appears? (later|after)|infinite scroll|scroll|dynamic|ajax|click|button|tab\b|press/i,
    )
    const isThin = (markdownLength(facts) ?? Number.POSITIVE_INFINITY) < 600
    const clicks = clicksIn(facts.questionText)
    const isCertain = isCut || isLoadingText || isThin || isMentioned || clicks.length > 0
    const isPossible = !isCrawl && problemWords.test(facts.questionText)
    if (!isCertain && !isPossible && !(usedBrowser && missesContent(facts))) return undefined
    return {
      confidence: firstOf(
        [isCut, 0.88],
        [isLoadingText, 0.85],
        [clicks.length > 0, 0.86],
        [isMentioned, 0.72],
        [usedBrowser, isCrawl ? 0.45 : 0.55],
        [true, isThin ? 0.45 : 0.3],
      ),
      diagnosis:
        isCut || isLoadingText
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
    const isMentioned =
      garbled.test(facts.questionText) ||
      mentions(
        facts,
        /garbl|garbage|gibberish|mojibake|encoding|charset|umlaut|accent|question marks|boxes|strange (char|letter|symbol)|weird (char|letter|symbol)|unreadable/i,
      )
    if (!isGarbled && !isMentioned) return undefined
    const type = stepsOf(facts, 'fetch').at(-1)?.contentType
    return {
      confidence: isGarbled && isMentioned ? 0.96 : isGarbled ? 0.85 : 0.6,
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
    const missingFields = /json: not found on the page, and left out: ([^.]+)\./.exec(
      facts.document?.warning ?? '',
    )?.[1]
    return {
      confidence: isMissing ? 0.9 : 0.5,
      diagnosis: `The page does not state ${missingFields === undefined ? 'all fields of the schema' : missingFields.slice(0, 200)} where rules can read it, and nothing is made up for them.`,
      advice: model?.available
        ? 'Describe the fields with the words that the page uses, or check that the page shows them.'
        : 'Describe the fields with the words that the page uses; a language model (MODEL_URL) reads what rules cannot.',
      fixes: [{ waitFor: 3000 }, { waitFor: 8000 }],
    }
  },
}

function uploadFinding(facts: SupportCase) {
  const names = ['excludeTags', 'includeTags'].filter((name) => {
    const tags = optionOf(facts, name)
    return Array.isArray(tags) && tags.length > 0
  })
  if (names.length === 0 || !missesContent(facts)) return undefined
  return {
    confidence: 0.8,
    diagnosis: `Only a part of the file was asked for, with ${names.map((name) => `${name} ${JSON.stringify(optionOf(facts, name)).slice(0, 100)}`).join(' and ')}.`,
    advice: 'Leave these selectors out, or make them match only what is to be removed or kept.',
    fixes: [Object.fromEntries(names.map((name) => [name, []]))],
  }
}

function boilerplateFinding(facts: SupportCase) {
  const removed = boilerplateLength(facts)
  const isMain = optionOf(facts, 'onlyMainContent') !== false
  if (removed === 0 || !isMain || isThin(facts) || !problemWords.test(facts.questionText)) return undefined
  return {
    confidence: missesContent(facts) ? 0.66 : 0.4,
    diagnosis: `onlyMainContent leaves out headers, menus, footers and what stands beside the content: ${removed} characters of this page.`,
    advice:
      'onlyMainContent: false returns the whole page; includeTags with the selector of the part returns that alone.',
    fixes: [{ onlyMainContent: false }, { mainContentMode: 'container' }],
  }
}

function clicksIn(words: string): Record<string, unknown>[] {
  if (!/click|press|button|tap|tab|open|expand|unfold/i.test(words)) return []
  const ids = words.matchAll(/\bid\s{0,3}(?:=|is|of|named|called)?\s{0,3}["'`]?([\w-]{2,60})/gi)
  const selectors = words.matchAll(/(?:^|[\s"'`(])([#.][a-z][\w-]{1,60})/gi)
  const found = [...[...ids].map(([, id]) => `#${id}`), ...[...selectors].map(([, selector]) => selector)]
  const clicks = [
    ...[...new Set(found)].map((selector) => ({ type: 'click', selector })),
    ...labelsOf(words).map((label) => ({ type: 'executeJavascript', script: clickScript(label) })),
  ]
  return clicks.slice(0, 2).map((click) => ({ actions: [click, { type: 'wait', milliseconds: 5000 }] }))
}

/** Questions use the visible text of buttons. */
const clickScript = (label: string) =>
  `[...document.querySelectorAll('button, summary, [role=button], [role=tab], [onclick], label, a')].find((e) => e.textContent.trim().toLowerCase() === ${JSON.stringify(label.toLowerCase())})?.click()`

/** Matches UTF-8 that was decoded as a single-byte encoding, and replacement characters of invalid UTF-8. */
const garbled = /Ã[\u0080-\u00bf\u0152-\u0192\u2018-\u203a]|Ã[¤¶¼Ÿ„–œ©¨ª«]|â€[™œž“”˜¢¦]|Â[ °£§«»©®]|\ufffd/
