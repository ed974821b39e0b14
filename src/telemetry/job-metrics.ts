import { Counter, Histogram, type Registry } from 'prom-client'
import type { TimedStep } from '../base/trace/steps.ts'
import type { EndedJob } from '../jobs/ended-job.ts'

/** From a page in the cache to a crawl of hours. */
const jobBuckets = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800]
const attemptBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** Counts the jobs that end here, and of each what its trace says: attempts, the cache, the model. */
export function countJobs(registry: Registry): (job: EndedJob) => void {
  const registers = [registry]
  const jobs = new Counter({
    ...{ name: 'winnow_jobs_ended_total', help: 'Jobs that ended in this process.', registers },
    labelNames: ['kind', 'state', 'code'],
  })
  const seconds = new Histogram({
    ...{ name: 'winnow_job_seconds', help: 'Time from the start of a job to its end.', registers },
    ...{ labelNames: ['kind'], buckets: jobBuckets },
  })
  const credits = new Counter({
    ...{ name: 'winnow_credits_charged_total', help: 'Credits charged for jobs.', registers },
    labelNames: ['kind'],
  })
  const countStep = countSteps(registry)
  return ({ kind, state, code, startedAt, endedAt, credits: charged, steps }) => {
    jobs.inc({ kind, state, code: code ?? '' })
    seconds.observe({ kind }, Math.max(0, endedAt - startedAt) / 1000)
    if (charged > 0) credits.inc({ kind }, charged)
    for (const [index, step] of steps.entries()) countStep(step, steps[index + 1])
  }
}

function countSteps(registry: Registry): (step: TimedStep, next: TimedStep | undefined) => void {
  const registers = [registry]
  const attempts = new Counter({
    ...{ name: 'winnow_attempts_total', help: 'Attempts to fetch a page, and what came of them.', registers },
    labelNames: ['engine', 'proxy', 'verdict'],
  })
  const attemptSeconds = new Histogram({
    ...{ name: 'winnow_attempt_seconds', help: 'Time of an attempt to fetch a page.', registers },
    ...{ labelNames: ['engine'], buckets: attemptBuckets },
  })
  const cache = new Counter({
    ...{ name: 'winnow_cache_lookups_total', help: 'Lookups in the cache of pages.', registers },
    labelNames: ['result'],
  })
  const waited = new Histogram({
    ...{ name: 'winnow_slot_wait_seconds', help: 'Time calls waited for a slot of their team.', registers },
    buckets: attemptBuckets,
  })
  const tokens = new Counter({
    ...{ name: 'winnow_model_tokens_total', help: 'Tokens of the language model.', registers },
    labelNames: ['direction'],
  })
  return (step, next) => {
    if (step.step === 'fetch') {
      attempts.inc({ engine: step.engine, proxy: step.proxy, verdict: verdictOf(step, next) })
      attemptSeconds.observe({ engine: step.engine }, step.ms / 1000)
    } else if (step.step === 'cache') cache.inc({ result: step.result })
    else if (step.step === 'queue') waited.observe(step.waitedMs / 1000)
    else if (step.step === 'model') {
      tokens.inc({ direction: 'input' }, step.inputTokens)
      tokens.inc({ direction: 'output' }, step.outputTokens)
    }
  }
}

/** What the judge said of the page, or the code of what went wrong. A file is not judged. */
function verdictOf(step: Extract<TimedStep, { step: 'fetch' }>, next: TimedStep | undefined): string {
  if (step.result === 'error') return step.code ?? 'error'
  return next?.step === 'verdict' ? next.kind : step.result
}
