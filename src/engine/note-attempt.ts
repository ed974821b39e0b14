import { AppError } from '../base/errors.ts'
import type { TraceStep } from '../base/trace/steps.ts'
import type { Page } from '../content/page.ts'
import type { FetchOutcome } from './fetch-outcome.ts'
import type { FetchPlan, ProxyTier } from './fetch-plan.ts'
import type { Judgement } from './judge/judge-page.ts'

type FetchStep = Extract<TraceStep, { step: 'fetch' }>

/** Fetches, and notes what came of it, also where it throws. */
export async function noteAttempt<Outcome extends FetchOutcome>(
  plan: FetchPlan,
  { engine, tier }: { engine: { name: string }; tier: ProxyTier },
  fetch: () => Promise<Outcome>,
): Promise<Outcome> {
  const began = performance.now()
  const note = (what: Pick<FetchStep, 'result'> & Partial<FetchStep>) =>
    plan.trace.note({
      ...{ step: 'fetch', engine: engine.name, proxy: tier.name, ms: Math.round(performance.now() - began) },
      ...what,
    })
  try {
    const outcome = await fetch()
    if (outcome.kind === 'fetched') note({ result: 'page', ...pageFacts(plan, outcome.page) })
    else if (outcome.kind === 'failed') note({ result: 'error', ...errorFacts(outcome.error) })
    else note({ result: 'file' })
    return outcome
  } catch (thrown) {
    note({ result: 'error', ...(thrown instanceof AppError ? errorFacts(thrown) : {}) })
    throw thrown
  }
}

function pageFacts({ url }: FetchPlan, page: Page): Partial<FetchStep> {
  const contentType = page.headers['content-type']
  return {
    status: page.status,
    ...(page.url === url.href ? {} : { url: page.url }),
    ...(contentType === undefined ? {} : { contentType }),
    ...(page.text === undefined ? { bytes: page.bytes.length } : { characters: page.text.length }),
  }
}

function errorFacts({ code, detail, message }: AppError): Partial<FetchStep> {
  return { code, ...(typeof detail.phase === 'string' ? { phase: detail.phase } : {}), message }
}

/** Notes whether what came is the page that was asked for; a file is not judged. */
export function noteVerdict({ trace }: FetchPlan, judgement: Judgement | undefined): void {
  if (!judgement) return
  const reason = judgement.kind === 'good' ? judgement.notes.join(' ') : judgement.reason
  trace.note({ step: 'verdict', kind: judgement.kind, ...(reason === '' ? {} : { reason }) })
}
