import type { Attributes, Tracer } from '@opentelemetry/api'
import { type TimedStep, wordFields } from '../base/trace/steps.ts'
import { withoutUserinfo } from '../base/without-userinfo.ts'
import type { EndedJob, ObserveEnd } from '../jobs/ended-job.ts'

type Api = typeof import('@opentelemetry/api')

/**
 * Draws a job that has ended from its trace: what took time becomes a span, the rest an event. In a call that waited for it, the
 * job stands under the call.
 */
export function jobSpans(api: Api, tracer: Tracer): ObserveEnd {
  return (job) => {
    const parent = api.context.active()
    const span = tracer.startSpan(
      job.kind,
      { kind: api.SpanKind.INTERNAL, startTime: job.startedAt, attributes: jobAttributes(job) },
      parent,
    )
    if (job.state === 'failed') span.setStatus({ code: api.SpanStatusCode.ERROR, message: job.code ?? '' })
    const inside = api.trace.setSpan(parent, span)
    for (const step of job.steps) {
      const attributes = stepAttributes(step, job.mayKeepWords)
      const noted = job.startedAt + step.at
      if (!('ms' in step)) {
        span.addEvent(step.step, attributes, noted)
        continue
      }
      // A step is noted when it is over.
      const startTime = Math.max(job.startedAt, noted - step.ms)
      tracer.startSpan(nameOf(step), { attributes, startTime }, inside).end(noted)
    }
    span.end(job.endedAt)
  }
}

function nameOf(step: TimedStep): string {
  if (step.step === 'fetch') return `fetch ${step.engine}`
  return step.step === 'action' ? `action ${step.type}` : step.step
}

function jobAttributes({ id, parentId, state, code, credits, target }: EndedJob): Attributes {
  return {
    ...{ 'winnow.job.id': id, 'winnow.job.state': state, 'winnow.job.credits': credits },
    ...(parentId === null ? {} : { 'winnow.job.parent_id': parentId }),
    ...(code === undefined ? {} : { 'error.type': code }),
    ...(target === null ? {} : { 'winnow.job.target': withoutUserinfo(target) }),
  }
}

/** The plain fields of a step. Without words, where nothing of the call may stay. */
function stepAttributes(step: TimedStep, mayKeepWords: boolean): Attributes {
  const fields = Object.entries(step).filter(
    ([name, value]) =>
      !['step', 'at'].includes(name) && typeof value !== 'object' && (mayKeepWords || !wordFields.has(name)),
  )
  return Object.fromEntries(
    fields.map(([name, value]) => [
      `winnow.${name}`,
      typeof value === 'string' ? withoutUserinfo(value) : value,
    ]),
  )
}
