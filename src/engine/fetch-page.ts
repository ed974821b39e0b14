import { AppError } from '../base/errors.ts'
import type { Page } from '../content/page.ts'
import type { Engine } from './engines/engine.ts'
import type { FetchPlan } from './fetch-plan.ts'

export interface Fetched {
  page: Page
  warnings: string[]
}

/** Walks the ladder of engines until one verdict is good. */
export async function fetchPage(engines: Engine[], plan: FetchPlan, signal: AbortSignal): Promise<Fetched> {
  const met: { engine: string; reason: string }[] = []
  let lastError: AppError | undefined
  for (const engine of engines.filter((candidate) => candidate.suits(plan))) {
    const verdict = await engine.fetch(plan, signal)
    if (verdict.kind === 'good') return { page: verdict.page, warnings: verdict.warnings }
    lastError = verdict.kind === 'failed' ? verdict.error : undefined
    met.push({ engine: engine.name, reason: verdict.kind === 'failed' ? verdict.error.code : verdict.reason })
  }
  // One rung that failed by itself says more than "all engines failed" around it.
  if (met.length === 1 && lastError) throw lastError
  throw new AppError('SCRAPE_ALL_ENGINES_FAILED', { phase: 'fetch', details: met })
}
