import type { AppError } from '../../base/errors.ts'
import type { Cause, Finding } from './cause.ts'
import { contentOf, isBetter, noContent, type PageContent, phrasesOf } from './judge-page.ts'
import type { SupportCase } from './support-case.ts'

export interface Diagnosis {
  cause: Cause['name']
  finding: Finding
}

/** What a trial brought. */
export type Tried = { pages?: number; markdown?: string; json?: unknown } | { error: AppError }

export interface Trials {
  /** Runs the request of the case once more with other options; undefined where that cannot be done. */
  run(facts: SupportCase, fix: Record<string, unknown>, signal: AbortSignal): Promise<Tried> | undefined
}

export interface Trial {
  diagnosis: Diagnosis
  fix: Record<string, unknown>
  isSuccess: boolean
  says: string
}

/** So many trials are made for one question. */
const mostTrials = 6

/** Tries fixes, those of the likeliest cause first, until one brings a better page or the time is over. */
export async function tryFixes(
  trials: Trials,
  facts: SupportCase,
  { diagnoses, signal }: { diagnoses: readonly Diagnosis[]; signal: AbortSignal },
): Promise<Trial[]> {
  const before = contentBefore(facts)
  const made: Trial[] = []
  const seen = new Set<string>()
  for (const diagnosis of diagnoses) {
    for (const fix of diagnosis.finding.fixes ?? []) {
      const key = JSON.stringify(fix)
      if (seen.has(key) || Object.keys(fix).length === 0) continue
      if (made.length >= mostTrials || signal.aborted) return made
      seen.add(key)
      const running = trials.run(facts, fix, signal)
      if (!running) return made
      const { isSuccess, says } = judge(await running, { facts, fix, before })
      made.push({ diagnosis, fix, isSuccess, says })
      if (isSuccess) return made
    }
  }
  return made
}

function contentBefore(facts: SupportCase): PageContent {
  const { job, document } = facts
  if (!job || job.error || !document?.markdown) return noContent
  return contentOf(document.markdown, phrasesOf(facts.words))
}

function judge(
  tried: Tried,
  { facts, fix, before }: { facts: SupportCase; fix: Record<string, unknown>; before: PageContent },
): { isSuccess: boolean; says: string } {
  const shown = JSON.stringify(fix)
  if ('error' in tried) return { isSuccess: false, says: `${shown} failed: ${tried.error.code}` }
  if (tried.pages !== undefined) {
    const had = facts.job?.pages?.completed ?? 1
    const says = `${shown} finds ${tried.pages} pages in place of ${had}`
    return { isSuccess: tried.pages > had, says }
  }
  if (facts.document?.json !== undefined || tried.json !== undefined) {
    const [was, is] = [filled(facts.document?.json), filled(tried.json)]
    if (is !== was) return { isSuccess: is > was, says: `${shown} fills ${is} fields in place of ${was}` }
  }
  const now = contentOf(tried.markdown ?? '', phrasesOf(facts.words))
  const isFresh = 'maxAge' in fix && now.words > 0 && now.text !== before.text
  const widens = fix.onlyMainContent === false || 'mainContentMode' in fix
  return {
    isSuccess: isFresh || isBetter(now, before, { widens }),
    says: `${shown} brings ${now.words} words in place of ${before.words}`,
  }
}

/** Values below an object, at any depth. */
function filled(value: unknown): number {
  if (value === null || value === undefined) return 0
  if (typeof value !== 'object') return 1
  return Object.values(value).reduce((sum: number, each) => sum + filled(each), 0)
}
