import type { AppError } from '../../platform/errors.ts'
import { lazy } from '../../platform/functions.ts'
import { type Finding, fixFor } from './cause.ts'
import {
  contentOf,
  type ExpectedContent,
  expectedContent,
  isBetter,
  noContent,
  type PageContent,
} from './compare-content.ts'
import type { SupportCase } from './support-case.ts'
import type { FixSource } from './trial-options.ts'

export interface Diagnosis {
  cause: string
  finding: Finding
}

/** Result of a trial, or the reason why it did not run. */
export type FixTrial =
  | ({ pages?: number; markdown?: string; json?: unknown } & TrialEffects)
  | ({ error: AppError } & TrialEffects)
  | { refused: string }

interface TrialEffects {
  /** Effects of the trial, and differences from the request of the job. They are part of the evidence. */
  did?: string[]
}

export interface FixCandidate {
  fix: Record<string, unknown>
  source: FixSource
}

export interface Trials {
  /** Runs the request of the case again with other options. Returns undefined if the call cannot be repeated. */
  run(facts: SupportCase, fix: FixCandidate, signal: AbortSignal): Promise<FixTrial> | undefined
}

export interface Trial {
  diagnosis: Diagnosis
  fix: Record<string, unknown>
  isSuccess: boolean
  says: string
  /** True if the trial was not allowed, so that no page was fetched. */
  isSkipped?: boolean
}

type TrialResult = Pick<Trial, 'isSuccess' | 'says' | 'isSkipped'>

/** Maximum trials per question, and maximum concurrent trials. */
const maxTrials = 6
const maxConcurrentTrials = 2

/** Tries fixes in batches, sorted by confidence, until one improves the result or the time is over. */
export async function tryFixes(
  trials: Trials,
  facts: SupportCase,
  { diagnoses, signal }: { diagnoses: readonly Diagnosis[]; signal: AbortSignal },
): Promise<Trial[]> {
  const fixes = fixesOf(diagnoses, facts.job?.kind)
  const trialsDone: Trial[] = []
  const control = lazy(() => trials.run(facts, { fix: {}, source: 'rule' }, signal))
  for (let start = 0; start < fixes.length && !signal.aborted; start += maxConcurrentTrials) {
    const round = await Promise.all(
      fixes.slice(start, start + maxConcurrentTrials).map(async ({ diagnosis, fix }) => {
        const result = await tryFix(trials, facts, { fix, source: 'rule', signal, control })
        return result ? [{ diagnosis, fix, ...result }] : []
      }),
    )
    trialsDone.push(...round.flat())
    if (round.flat().some(({ isSuccess }) => isSuccess)) break
  }
  return trialsDone
}

/** Tries one fix. Returns undefined if the call cannot be repeated. */
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
    /** Runs the same call without a fix, as a baseline. */
    control?: () => Promise<FixTrial> | undefined
  },
): Promise<TrialResult | undefined> {
  const outcome = await trials.run(facts, { fix, source }, signal)
  if (outcome && 'refused' in outcome)
    return {
      isSuccess: false,
      isSkipped: true,
      says: `${JSON.stringify(fix).slice(0, 500)} was not tried: ${outcome.refused}`,
    }
  if (outcome && 'pages' in outcome && outcome.pages !== undefined) {
    const unchanged = isComparable(fix) ? await control() : undefined
    return evaluatePages(outcome.pages, { facts, fix, unchanged })
  }
  const expected = expectedContent(facts.words, facts.document?.markdown ?? '')
  if (!outcome) return undefined
  const evaluation = evaluate(outcome, {
    facts,
    fix,
    wanted: expected,
    before: contentBefore(facts, expected),
  })
  return { ...evaluation, says: [evaluation.says, ...(outcome.did ?? [])].join(', ') }
}

/** Options that a site exploration applies in the same way as a crawl. */
const exploredOptions = new Set([
  ...['sitemap', 'allowSubdomains', 'allowExternalLinks', 'crawlEntireDomain'],
  ...['ignoreQueryParameters', 'includePaths', 'excludePaths', 'limit'],
])

const isComparable = (fix: Record<string, unknown>) =>
  Object.keys(fix).every((name) => exploredOptions.has(name))

/** Evaluates a fix by the number of pages: it must find more than the job and more than the same exploration without it. */
function evaluatePages(
  pages: number,
  {
    facts,
    fix,
    unchanged,
  }: { facts: SupportCase; fix: Record<string, unknown>; unchanged: FixTrial | undefined },
): TrialResult {
  const pagesBefore = facts.job?.pages?.completed ?? facts.document?.links?.length ?? 1
  const baseline = unchanged && 'pages' in unchanged ? (unchanged.pages ?? pagesBefore) : pagesBefore
  const says = `${JSON.stringify(fix)} finds ${pages} pages in place of ${pagesBefore}`
  // If the fix removes duplicate pages, fewer pages are better.
  const isFewer = fix.ignoreQueryParameters === true || fix.deduplicateSimilarURLs === true
  return {
    isSuccess: isFewer ? pages > 0 && pages < pagesBefore : pages > Math.max(pagesBefore, baseline),
    says,
  }
}

/** Returns the distinct fixes, each with the most likely cause that suggests it. */
function fixesOf(
  diagnoses: readonly Diagnosis[],
  kind: string | undefined,
): Pick<Trial, 'diagnosis' | 'fix'>[] {
  const all = diagnoses.flatMap((diagnosis) =>
    (diagnosis.finding.fixes ?? []).map((fix) => ({ diagnosis, fix: fixFor(kind, fix) })),
  )
  const byText = new Map(all.toReversed().map((entry) => [JSON.stringify(entry.fix), entry]))
  return all
    .filter((entry) => byText.get(JSON.stringify(entry.fix)) === entry && Object.keys(entry.fix).length > 0)
    .slice(0, maxTrials)
}

function contentBefore(facts: SupportCase, expected: ExpectedContent): PageContent {
  const { page, document } = facts
  if (!page || page.error || !document?.markdown) return noContent
  return contentOf(document.markdown, expected)
}

function evaluate(
  outcome: Exclude<FixTrial, { refused: string }>,
  {
    facts,
    fix,
    wanted: expected,
    before,
  }: { facts: SupportCase; fix: Record<string, unknown>; wanted: ExpectedContent; before: PageContent },
): { isSuccess: boolean; says: string } {
  const fixJson = JSON.stringify(fix)
  if ('error' in outcome) return { isSuccess: false, says: `${fixJson} failed: ${outcome.error.code}` }
  if (facts.document?.json !== undefined || outcome.json !== undefined) {
    const [filledBefore, filledNow] = [countValues(facts.document?.json), countValues(outcome.json)]
    if (filledNow !== filledBefore)
      return {
        isSuccess: filledNow > filledBefore,
        says: `${fixJson} fills ${filledNow} fields in place of ${filledBefore}`,
      }
  }
  const content = contentOf(outcome.markdown ?? '', expected)
  const options = { ...fix, ...Object(fix.scrapeOptions) }
  const isFresh = 'maxAge' in options && content.words > 0 && content.text !== before.text
  const widens =
    (options.onlyMainContent === false || 'mainContentMode' in options) &&
    !outsideMainContent.test(facts.words)
  const seeksLinks = facts.job?.kind === 'crawl' && facts.job.pages?.completed === 1
  return {
    isSuccess:
      isFresh || isBetter(content, before, { widens, seeksLinks, failedBefore: Boolean(facts.page?.error) }),
    says: `${fixJson} brings ${content.words} words in place of ${before.words}`,
  }
}

/** Phrases for page areas outside the main content, and for elements that all pages of a site share. */
const outsideMainContent =
  /\b(?:bottom|footer|side ?bar|(?:left|right) side|on the (?:left|right|side)|margin|header|top of|menu|navigation|(?:every|each) (?:single )?page)\b/i

/** Counts the non-null values of an object, at any depth. */
function countValues(value: unknown): number {
  if (value === null || value === undefined) return 0
  if (typeof value !== 'object') return 1
  return Object.values(value).reduce((sum: number, item) => sum + countValues(item), 0)
}
