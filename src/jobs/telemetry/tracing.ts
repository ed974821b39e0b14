import type { IncomingHttpHeaders } from 'node:http'
import type { Attributes, Span, Tracer } from '@opentelemetry/api'
import type { Sampler } from '@opentelemetry/sdk-trace'
import type { Log } from '../../platform/log.ts'
import { privateFields, type TimedStep } from '../../platform/trace/steps.ts'
import { withoutUserinfo } from '../../platform/url.ts'
import type { EndedJobRecord, ObserveEnd } from '../ended-job.ts'

export interface TracingSettings {
  /** Undefined: no traces. */
  endpoint: string | undefined
  sampler: SamplerName
  ratio: number
  serviceName: string
}

export interface CallSpan {
  /** What this starts belongs to the span, also what it starts later. */
  run(work: () => void): void
  end(outcome: { route: string; status: number; requestId: string }): void
}

/** Traces of calls and jobs, sent to a collector by OpenTelemetry. */
export interface Tracing {
  /** A call that says which trace it belongs to (`traceparent`) becomes part of that. */
  beginCall(call: { method: string; headers: IncomingHttpHeaders }): CallSpan
  jobEnded: ObserveEnd
  /** Sends what is left. */
  stop(): Promise<void>
}

/** Undefined where no collector is named. Its libraries are loaded only then: they would cost every start. */
export async function openTracing(
  settings: TracingSettings,
  { version, log }: { version: string; log: Log },
): Promise<Tracing | undefined> {
  if (settings.endpoint === undefined) return undefined
  const [api, sdk, exporting, resources, hooks, core] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/core'),
  ])
  const tell = (message: string) => log.warn({ message }, 'traces are not sent')
  api.diag.setLogger(
    { error: tell, warn: tell, info() {}, debug() {}, verbose() {} },
    { logLevel: api.DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  api.context.setGlobalContextManager(new hooks.AsyncLocalStorageContextManager().enable())
  const exporter = new exporting.OTLPTraceExporter({ url: settings.endpoint })
  const named = { 'service.name': settings.serviceName, 'service.version': version }
  const provider = new sdk.TracerProvider({
    sampler: samplerOf(sdk, settings),
    resource: resources
      .resourceFromAttributes(named)
      .merge(resources.detectResources({ detectors: [resources.resourceAttributesEnvDetector] })),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  })
  const tracer = provider.getTracer('winnow', version)
  const propagator = new core.W3CTraceContextPropagator()
  return {
    beginCall({ method, headers }) {
      const caller = propagator.extract(api.ROOT_CONTEXT, headers, api.defaultTextMapGetter)
      const attributes = { 'http.request.method': method }
      const span = tracer.startSpan(method, { kind: api.SpanKind.SERVER, attributes }, caller)
      const inside = api.trace.setSpan(caller, span)
      return {
        run: (work) => api.context.with(inside, work),
        end: (outcome) => endCall(api, span, { method, ...outcome }),
      }
    },
    jobEnded: jobSpans(api, tracer),
    stop: () => provider.shutdown(),
  }
}

type Api = typeof import('@opentelemetry/api')

function endCall(
  api: Api,
  span: Span,
  { method, route, status, requestId }: { method: string; route: string; status: number; requestId: string },
): void {
  span.updateName(`${method} ${route}`)
  span.setAttributes({
    ...{ 'http.route': route, 'http.response.status_code': status, 'winnow.request_id': requestId },
  })
  // As the convention for servers has it: what the caller did wrong is no error of the service.
  if (status >= 500) span.setStatus({ code: api.SpanStatusCode.ERROR })
  span.end()
}

/**
 * Draws a job that has ended from its trace: what took time becomes a span, the rest an event. In a call that waited for it, the
 * job stands under the call.
 */
function jobSpans(api: Api, tracer: Tracer): ObserveEnd {
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

function jobAttributes({ id, parentId, state, code, credits, target }: EndedJobRecord): Attributes {
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
      !['step', 'at'].includes(name) &&
      typeof value !== 'object' &&
      (mayKeepWords || !privateFields.has(name)),
  )
  return Object.fromEntries(
    fields.map(([name, value]) => [
      `winnow.${name}`,
      typeof value === 'string' ? withoutUserinfo(value) : value,
    ]),
  )
}

type SamplerName =
  | 'always_on'
  | 'always_off'
  | 'traceidratio'
  | 'parentbased_always_on'
  | 'parentbased_always_off'
  | 'parentbased_traceidratio'

type Sdk = Pick<
  typeof import('@opentelemetry/sdk-trace'),
  'AlwaysOnSampler' | 'AlwaysOffSampler' | 'TraceIdRatioBasedSampler' | 'ParentBasedSampler'
>

/** The sampler that OTEL_TRACES_SAMPLER names; the library leaves that to its user. */
function samplerOf(sdk: Sdk, { sampler, ratio }: { sampler: SamplerName; ratio: number }): Sampler {
  const root = rootSampler(sdk, sampler.replace('parentbased_', ''), ratio)
  return sampler.startsWith('parentbased_') ? new sdk.ParentBasedSampler({ root }) : root
}

function rootSampler(sdk: Sdk, name: string, ratio: number): Sampler {
  if (name === 'always_off') return new sdk.AlwaysOffSampler()
  return name === 'traceidratio' ? new sdk.TraceIdRatioBasedSampler(ratio) : new sdk.AlwaysOnSampler()
}
