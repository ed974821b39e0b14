import { isObject } from '../../../extraction/schema/field-spec.ts'
import { type Causes, type Finding, firstOf } from '../cause.ts'
import { lastStep, mentions, missesContent, optionOf, type SupportCase, stepsOf } from '../support-case.ts'

export const crawlCauses: Causes = {
  'single-page-crawl'(facts) {
    const { job } = facts
    if (job?.kind !== 'crawl' && job?.kind !== 'map') return undefined
    const { pages } = job
    if (job.kind === 'crawl' && (!pages || pages.completed > 1)) return undefined
    const skipped = pages?.skipped ?? {}
    const depth = optionOf(facts, 'maxDiscoveryDepth')
    const limit = Number(optionOf(facts, 'limit') ?? 10_000)
    const isRefused = stepsOf(facts, 'fetch').some(({ status = 200 }) => status >= 400)
    if (limit <= 1 || (job.kind === 'map' && (facts.document?.links?.length ?? 2) > 1)) return undefined
    const reasons = [
      { reason: 'outside the start path', fix: { crawlEntireDomain: true } },
      { reason: 'other subdomain', fix: { allowSubdomains: true } },
      { reason: 'other site', fix: { allowExternalLinks: true } },
    ].filter(({ reason }) => (skipped[reason] ?? 0) > 0)
    const [first] = reasons.sort((left, right) => (skipped[right.reason] ?? 0) - (skipped[left.reason] ?? 0))
    const isFailed = (pages?.failed ?? 0) > 0 && pages?.completed === 0
    return {
      confidence:
        isFailed || isRefused ? 0.3 : typeof depth === 'number' && depth <= 1 ? 0.9 : first ? 0.9 : 0.75,
      diagnosis: first
        ? `The start leads only to addresses that do not belong to the crawl: ${skipped[first.reason]} are left out as "${first.reason}".`
        : 'The start page has no link to other pages of its site that could be followed.',
      advice: first
        ? `${Object.keys(first.fix)[0]}: true takes them in.`
        : 'Start at a page that links to others, wait for links that scripts add (scrapeOptions.waitFor), or let sitemaps name the pages.',
      fixes: [
        ...(typeof depth === 'number' ? [{ maxDiscoveryDepth: depth + 5 }] : []),
        ...reasons.map(({ fix }) => fix),
        ...(optionOf(facts, 'sitemap') === 'skip' ? [{ sitemap: 'include' }] : []),
        { crawlEntireDomain: true, allowSubdomains: true },
        { scrapeOptions: { waitFor: 3000 } },
      ],
    }
  },

  'limit-reached'(facts) {
    const { job } = facts
    const pageLimitFinding = findPageLimit(facts)
    if (pageLimitFinding) return pageLimitFinding
    if (job?.kind !== 'crawl' && job?.kind !== 'map' && job?.kind !== 'search') return undefined
    const limit = Number(optionOf(facts, 'limit') ?? 10_000)
    const depth = optionOf(facts, 'maxDiscoveryDepth')
    const skippedByLimit = job.pages?.skipped.limit ?? 0
    const pageCount = job.pages?.completed ?? facts.document?.links?.length ?? 0
    const isFull = skippedByLimit > 0 || pageCount >= limit
    const isShallow = typeof depth === 'number' && depth <= 3
    const isMentioned = mentions(facts, /limit|depth|deep|only \d+|more pages|not all|missing|stops?|few/i)
    if (!isFull && !(isShallow && (isMentioned || missesContent(facts)))) return undefined
    if (isFull)
      return {
        confidence: 0.9,
        diagnosis: `The limit of ${limit} pages was reached${skippedByLimit > 0 ? `, with ${skippedByLimit} more addresses found` : ''}.`,
        advice: 'Raise limit.',
        fixes: [{ limit: Math.min(100_000, Math.max(100, limit * 10)) }],
      }
    return {
      confidence: isMentioned ? 0.87 : 0.7,
      diagnosis: `maxDiscoveryDepth: ${depth} ends the crawl ${depth} links from its start.`,
      advice: 'Raise maxDiscoveryDepth, or leave it out.',
      fixes: [{ maxDiscoveryDepth: Number(depth) + 5 }],
    }
  },

  'patterns-exclude-all'(facts) {
    const { pages } = facts.job ?? {}
    const included = pages?.skipped['include paths'] ?? 0
    const excluded = pages?.skipped['exclude paths'] ?? 0
    if (!pages || included + excluded === 0) return undefined
    const option = included >= excluded ? 'includePaths' : 'excludePaths'
    const patterns = JSON.stringify(optionOf(facts, option) ?? [])
    return {
      confidence: pages.completed <= 1 ? 0.95 : included + excluded > pages.completed ? 0.7 : 0.3,
      diagnosis: `${option} ${patterns.slice(0, 150)} leaves out ${included + excluded} addresses, and ${pages.completed} pages are left.`,
      advice:
        'Patterns are regular expressions on the path (on the whole address with regexOnFullURL: true), without the host; correct them or leave them out.',
      fixes: [{ includePaths: [], excludePaths: [] }, ...(included > 0 ? [{ regexOnFullURL: true }] : [])],
    }
  },

  sitemap(facts) {
    const { job, document } = facts
    if (job?.kind !== 'crawl' && job?.kind !== 'map') return undefined
    const notes = [...(job.pages?.notes ?? []), document?.warning ?? ''].join(' ').split('. ')
    const note = notes.find((text) => /sitemap/i.test(text))
    const mode = optionOf(facts, 'sitemap')
    const isOnly = mode === 'only'
    const isMentioned = mentions(facts, /sitemap/i)
    const isShort = isOnly && job.kind === 'map' && (document?.links?.length ?? 2) <= 2
    if (note === undefined && !isMentioned && !isShort && !(isOnly && missesContent(facts))) return undefined
    const read = job.steps.find((step) => step.step === 'sitemaps')
    return {
      confidence: firstOf(
        [isShort, 0.93],
        [note !== undefined && isOnly, 0.95],
        [note !== undefined && isMentioned, 0.9],
        [isOnly, isMentioned ? 0.85 : 0.7],
        [true, isMentioned ? 0.6 : 0.4],
      ),
      diagnosis:
        note === undefined ? describeSitemap(read) : `${note.replace(/\.$/, '').slice(0, 300).trim()}.`,
      advice:
        'sitemap: "include" follows links as well, and sitemap: "skip" does without; the sitemap itself can be checked with a scrape of its address.',
      fixes: isOnly
        ? [{ sitemap: 'include' }, { sitemap: 'skip' }]
        : [{ sitemap: mode === 'skip' ? 'include' : 'skip' }],
    }
  },

  'duplicate-urls'(facts) {
    const { job } = facts
    if (job?.kind !== 'crawl' && job?.kind !== 'map') return undefined
    const duplicates = job.pages?.skipped.duplicate ?? 0
    const isMentioned = mentions(
      facts,
      /duplicat|same .{0,40}(page|list|content|text|article)|twice|(several|many|two|three|four|five|\d+) times|over and over|repeat(ed|s)? (url|page)|query (string|param)|\?\w+=/i,
    )
    const copies = maxCopies(facts)
    if (!isMentioned && duplicates === 0 && copies < 3) return undefined
    const withQuery = optionOf(facts, 'ignoreQueryParameters') !== true
    const keepsSimilar = optionOf(facts, 'deduplicateSimilarURLs') === false
    const confidence = isMentioned ? 0.9 : copies < 3 ? 0.3 : 0.45
    if (duplicates > 0 && mentions(facts, /missing|not (there|crawled|included)|left out|skipp/i))
      return {
        confidence,
        diagnosis: `The crawl took ${duplicates} addresses for duplicates of pages that it has.`,
        advice: 'deduplicateSimilarURLs: false keeps addresses apart that differ only in such details.',
        fixes: [{ deduplicateSimilarURLs: false }],
      }
    return {
      confidence,
      diagnosis: 'Addresses that differ in their query or in details of spelling lead to the same page.',
      advice: 'ignoreQueryParameters: true takes addresses that differ in the query for one page.',
      fixes: [
        {
          ...(withQuery && { ignoreQueryParameters: true }),
          ...(keepsSimilar && { deduplicateSimilarURLs: true }),
        },
      ],
    }
  },
}

function findPageLimit(facts: SupportCase): Finding | undefined {
  const parsers = optionOf(facts, 'parsers')
  const converted = lastStep(facts, 'convert')?.pages ?? 0
  if (!Array.isArray(parsers) || converted === 0) return undefined
  const maxPages = Math.min(...parsers.map((parser) => Number(Object(parser).maxPages ?? Infinity)))
  if (converted < maxPages) return undefined
  return {
    confidence: missesContent(facts) ? 0.92 : 0.91,
    diagnosis: `maxPages: ${maxPages} ends the conversion after ${maxPages} pages of the file.`,
    advice: 'Raise maxPages, or leave it out.',
    fixes: [
      { parsers: parsers.map((parser) => (isObject(parser) ? { ...parser, maxPages: undefined } : parser)) },
    ],
  }
}

function describeSitemap(read: { files: number; found: number } | undefined): string {
  if (read?.files === 0) return 'The site has no sitemap that could be read.'
  if (read?.found === 0) return 'The sitemaps of the site name no page.'
  const count = read === undefined ? '' : ` (${read.found} addresses)`
  return `The sitemap of the site names other pages${count} than those that were expected.`
}

function maxCopies({ job, targets, document }: SupportCase): number {
  const mapUrls = (job?.kind === 'map' ? (document?.links ?? []) : []).map((link) =>
    typeof link === 'string' ? link : String(Object(link).url ?? ''),
  )
  const groups = Map.groupBy([...targets, ...mapUrls], (url) => url.replace(/[?#].*$/, ''))
  return Math.max(0, ...[...groups.values()].map(({ length }) => length))
}
