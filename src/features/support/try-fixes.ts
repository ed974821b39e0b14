import type { AppError } from '../../platform/errors.ts'
import { lazy } from '../../platform/functions.ts'
import { type Finding, fixFor } from './cause.ts'
import { contentOf, expectedContent, isBetter, noContent } from './compare-content.ts'
import type { SupportCase } from './support-case.ts'
import type { FixSource } from './trial-options.ts'

export interface Diagnosis {
  cause: string
  finding: Finding
}

export type FixTrial =
  | { pages?: number; markdown?: string; json?: unknown; effects?: string[] }
  | { error: AppError; effects?: string[] }
  | { refused: string }

export interface FixCandidate {
  fix: Record<string, unknown>
  source: FixSource
}

export interface TrialRunner {
  /** Runs the request of the case again with other options. Returns undefined if the call cannot be repeated. */
  run(facts: SupportCase, fix: FixCandidate, signal: AbortSignal): Promise<FixTrial> | undefined
}

export interface Trial {
  diagnosis: Diagnosis
  fix: Record<string, unknown>
  isSuccess: boolean
  evidence: string
  isSkipped?: boolean
}

type TrialResult = Pick<Trial, 'isSuccess' | 'evidence' | 'isSkipped'>

const maxTrials = 6
const maxConcurrentTrials = 2

export async function tryFixes(
  trials: TrialRunner,
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

export async function tryFix(
  trials: TrialRunner,
  facts: SupportCase,
  {
    fix,
    source,
    signal,
    control = () => trials.run(facts, { fix: {}, source }, signal),
  }: FixCandidate & {
    signal: AbortSignal
    control?: () => Promise<FixTrial> | undefined
  },
): Promise<TrialResult | undefined> {
  const outcome = await trials.run(facts, { fix, source }, signal)
  if (!outcome) return undefined
  if ('refused' in outcome) {
    const evidence = `${JSON.stringify(fix).slice(0, 500)} was not tried: ${outcome.refused}`
    return { isSuccess: false, isSkipped: true, evidence }
  }
  if ('pages' in outcome && outcome.pages !== undefined) {
    const isComparable = Object.keys(fix).every((name) => exploredOptions.has(name))
    return evaluatePages(outcome.pages, facts, { fix, unchanged: isComparable ? await control() : undefined })
  }
  const evaluation = evaluate(outcome, facts, fix)
  return { ...evaluation, evidence: [evaluation.evidence, ...(outcome.effects ?? [])].join(', ') }
}

const exploredOptions = new Set([
  ...['sitemap', 'allowSubdomains', 'allowExternalLinks', 'crawlEntireDomain'],
  ...['ignoreQueryParameters', 'includePaths', 'excludePaths', 'limit'],
])

/** A successful fix finds more pages than the job, and more than a map without the fix. */
function evaluatePages(
  pages: number,
  { job, document }: SupportCase,
  { fix, unchanged }: { fix: Record<string, unknown>; unchanged: FixTrial | undefined },
): TrialResult {
  const pagesBefore = job?.pages?.completed ?? document?.links?.length ?? 1
  const baseline = unchanged && 'pages' in unchanged ? (unchanged.pages ?? pagesBefore) : pagesBefore
  // If the fix removes duplicate pages, fewer pages are better.
  const wantsFewer = fix.ignoreQueryParameters === true || fix.deduplicateSimilarURLs === true
  return {
    isSuccess: wantsFewer ? pages > 0 && pages < pagesBefore : pages > Math.max(pagesBefore, baseline),
    evidence: `${JSON.stringify(fix)} finds ${pages} pages in place of ${pagesBefore}`,
  }
}

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

function evaluate(
  outcome: Exclude<FixTrial, { refused: string }>,
  { job, page, document, questionText }: SupportCase,
  fix: Record<string, unknown>,
): TrialResult {
  const fixJson = JSON.stringify(fix)
  if ('error' in outcome) return { isSuccess: false, evidence: `${fixJson} failed: ${outcome.error.code}` }
  const [filledBefore, filledNow] = [countValues(document?.json), countValues(outcome.json)]
  if (filledNow !== filledBefore)
    return {
      isSuccess: filledNow > filledBefore,
      evidence: `${fixJson} fills ${filledNow} fields in place of ${filledBefore}`,
    }
  const expected = expectedContent(questionText, document?.markdown ?? '')
  const before =
    page && !page.error && document?.markdown ? contentOf(document.markdown, expected) : noContent
  const content = contentOf(outcome.markdown ?? '', expected)
  const options = { ...fix, ...Object(fix.scrapeOptions) }
  const isFresh = 'maxAge' in options && content.words > 0 && content.text !== before.text
  const widens =
    (options.onlyMainContent === false || 'mainContentMode' in options) &&
    !outsideMainContent.test(questionText)
  const seeksLinks = job?.kind === 'crawl' && job.pages?.completed === 1
  return {
    isSuccess:
      isFresh || isBetter(content, before, { widens, seeksLinks, failedBefore: Boolean(page?.error) }),
    evidence: `${fixJson} brings ${content.words} words in place of ${before.words}`,
  }
}

const outsideMainContent =
  /\b(?:bottom|footer|side ?bar|(?:left|right) side|on the (?:left|right|side)|margin|header|top of|menu|navigation|(?:every|each) (?:single )?page)\b/i

function countValues(value: unknown): number {
  if (value === null || value === undefined) return 0
  if (typeof value !== 'object') return 1
  return Object.values(value).reduce((sum: number, item) => sum + countValues(item), 0)
}
