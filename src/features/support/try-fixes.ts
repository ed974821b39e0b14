import type { AppError } from '../../platform/errors.ts'
import { once } from '../../platform/functions.ts'
import { type Finding, fixFor } from './cause.ts'
import {
  contentOf,
  expectedContent,
  isBetter,
  noContent,
  type PageContent,
  type Wanted,
} from './compare-content.ts'
import type { SupportCase } from './support-case.ts'
import type { FixSource } from './trial-options.ts'

export interface Diagnosis {
  cause: string
  finding: Finding
}

/** What a trial brought and did, or why it did not run. */
export type Tried =
  | ({ pages?: number; markdown?: string; json?: unknown } & Did)
  | ({ error: AppError } & Did)
  | { refused: string }

interface Did {
  /** Effects and differences from the request of the job, for the evidence. */
  did?: string[]
}

export interface FixCandidate {
  fix: Record<string, unknown>
  source: FixSource
}

export interface Trials {
  /** Runs the request of the case once more with other options; undefined where that cannot be done. */
  run(facts: SupportCase, fix: FixCandidate, signal: AbortSignal): Promise<Tried> | undefined
}

export interface Trial {
  diagnosis: Diagnosis
  fix: Record<string, unknown>
  isSuccess: boolean
  says: string
  /** True if the trial was not allowed: nothing was fetched. */
  isSkipped?: boolean
}

type TrialResult = Pick<Trial, 'isSuccess' | 'says' | 'isSkipped'>

/** At most this many trials are made for one question, and this many of them side by side. */
const maxTrials = 6
const atOnce = 2

/** Tries fixes, those of the likeliest cause first, until one brings a better page or the time is over. */
export async function tryFixes(
  trials: Trials,
  facts: SupportCase,
  { diagnoses, signal }: { diagnoses: readonly Diagnosis[]; signal: AbortSignal },
): Promise<Trial[]> {
  const fixes = fixesOf(diagnoses, facts.job?.kind)
  const made: Trial[] = []
  const control = once(() => trials.run(facts, { fix: {}, source: 'rule' }, signal))
  for (let at = 0; at < fixes.length && !signal.aborted; at += atOnce) {
    const round = await Promise.all(
      fixes.slice(at, at + atOnce).map(async ({ diagnosis, fix }) => {
        const tried = await tryFix(trials, facts, { fix, source: 'rule', signal, control })
        return tried ? [{ diagnosis, fix, ...tried }] : []
      }),
    )
    made.push(...round.flat())
    if (round.flat().some(({ isSuccess }) => isSuccess)) break
  }
  return made
}

/** Tries one fix; undefined where the call cannot be repeated. */
export async function tryFix(
  trials: Trials,
  facts: SupportCase,
  {
    fix,
    source,
    signal,
    control = () => trials.run(facts, { fix: {}, source }, signal),
  }: FixCandidate & {
    signal: AbortSignal
    /** The same call without a fix, for those that are compared with it. */
    control?: () => Promise<Tried> | undefined
  },
): Promise<TrialResult | undefined> {
  const tried = await trials.run(facts, { fix, source }, signal)
  if (tried && 'refused' in tried)
    return {
      isSuccess: false,
      isSkipped: true,
      says: `${JSON.stringify(fix).slice(0, 500)} was not tried: ${tried.refused}`,
    }
  if (tried && 'pages' in tried && tried.pages !== undefined) {
    const unchanged = isComparable(fix) ? await control() : undefined
    return judgePages(tried.pages, { facts, fix, unchanged })
  }
  const wanted = expectedContent(facts.words, facts.document?.markdown ?? '')
  if (!tried) return undefined
  const judged = judge(tried, { facts, fix, wanted, before: contentBefore(facts, wanted) })
  return { ...judged, says: [judged.says, ...(tried.did ?? [])].join(', ') }
}

/** Options that the exploration of a site follows as a crawl does. */
const explored = new Set([
  ...['sitemap', 'allowSubdomains', 'allowExternalLinks', 'crawlEntireDomain'],
  ...['ignoreQueryParameters', 'includePaths', 'excludePaths', 'limit'],
])

const isComparable = (fix: Record<string, unknown>) => Object.keys(fix).every((name) => explored.has(name))

/** A fix has to find other pages than the job had, and than the same exploration finds without it. */
function judgePages(
  pages: number,
  {
    facts,
    fix,
    unchanged,
  }: { facts: SupportCase; fix: Record<string, unknown>; unchanged: Tried | undefined },
): TrialResult {
  const had = facts.job?.pages?.completed ?? facts.document?.links?.length ?? 1
  const found = unchanged && 'pages' in unchanged ? (unchanged.pages ?? had) : had
  const says = `${JSON.stringify(fix)} finds ${pages} pages in place of ${had}`
  // Where pages come several times, fewer are better.
  const isFewer = fix.ignoreQueryParameters === true || fix.deduplicateSimilarURLs === true
  return { isSuccess: isFewer ? pages > 0 && pages < had : pages > Math.max(had, found), says }
}

/** Each fix once, with the likeliest cause that asks for it. */
function fixesOf(
  diagnoses: readonly Diagnosis[],
  kind: string | undefined,
): Pick<Trial, 'diagnosis' | 'fix'>[] {
  const all = diagnoses.flatMap((diagnosis) =>
    (diagnosis.finding.fixes ?? []).map((fix) => ({ diagnosis, fix: fixFor(kind, fix) })),
  )
  const byText = new Map(all.toReversed().map((one) => [JSON.stringify(one.fix), one]))
  return all
    .filter((one) => byText.get(JSON.stringify(one.fix)) === one && Object.keys(one.fix).length > 0)
    .slice(0, maxTrials)
}

function contentBefore(facts: SupportCase, wanted: Wanted): PageContent {
  const { page, document } = facts
  if (!page || page.error || !document?.markdown) return noContent
  return contentOf(document.markdown, wanted)
}

function judge(
  tried: Exclude<Tried, { refused: string }>,
  {
    facts,
    fix,
    wanted,
    before,
  }: { facts: SupportCase; fix: Record<string, unknown>; wanted: Wanted; before: PageContent },
): { isSuccess: boolean; says: string } {
  const shown = JSON.stringify(fix)
  if ('error' in tried) return { isSuccess: false, says: `${shown} failed: ${tried.error.code}` }
  if (facts.document?.json !== undefined || tried.json !== undefined) {
    const [was, is] = [filled(facts.document?.json), filled(tried.json)]
    if (is !== was) return { isSuccess: is > was, says: `${shown} fills ${is} fields in place of ${was}` }
  }
  const now = contentOf(tried.markdown ?? '', wanted)
  const options = { ...fix, ...Object(fix.scrapeOptions) }
  const isFresh = 'maxAge' in options && now.words > 0 && now.text !== before.text
  const widens =
    (options.onlyMainContent === false || 'mainContentMode' in options) && !besides.test(facts.words)
  const seeksLinks = facts.job?.kind === 'crawl' && facts.job.pages?.completed === 1
  return {
    isSuccess:
      isFresh || isBetter(now, before, { widens, seeksLinks, failedBefore: Boolean(facts.page?.error) }),
    says: `${shown} brings ${now.words} words in place of ${before.words}`,
  }
}

/** Places of a page beside its main content, and what all pages of a site have. */
const besides =
  /\b(?:bottom|footer|side ?bar|(?:left|right) side|on the (?:left|right|side)|margin|header|top of|menu|navigation|(?:every|each) (?:single )?page)\b/i

/** Values below an object, at any depth. */
function filled(value: unknown): number {
  if (value === null || value === undefined) return 0
  if (typeof value !== 'object') return 1
  return Object.values(value).reduce((sum: number, each) => sum + filled(each), 0)
}
