import type { IncomingHttpHeaders } from 'node:http'
import type { Attributes, Span, Tracer } from '@opentelemetry/api'
import type { Sampler } from '@opentelemetry/sdk-trace'
import type { Log } from '../../platform/log.ts'
import { privateFields, type TimedStep } from '../../platform/trace/steps.ts'
import { withoutUserinfo } from '../../platform/url.ts'
import type { EndedJobRecord, ObserveEnd } from '../ended-job.ts'

export interface TracingSettings {
  endpoint: string | undefined
  sampler: SamplerName
  ratio: number
  serviceName: string
}

export type Tracing = NonNullable<Awaited<ReturnType<typeof openTracing>>>

export type CallSpan = ReturnType<Tracing['beginCall']>

/** The libraries are loaded only if a collector is configured, because they slow down every start. */
export async function openTracing(
  settings: TracingSettings,
  { version, log }: { version: string; log: Log },
) {
  if (settings.endpoint === undefined) return undefined
  const [api, sdk, exporting, resources, hooks, core] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/core'),
  ])
  const warn = (message: string) => log.warn({ message }, 'traces are not sent')
  api.diag.setLogger(
    { error: warn, warn: warn, info() {}, debug() {}, verbose() {} },
    { logLevel: api.DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  api.context.setGlobalContextManager(new hooks.AsyncLocalStorageContextManager().enable())
  const exporter = new exporting.OTLPTraceExporter({ url: settings.endpoint })
  const serviceAttributes = { 'service.name': settings.serviceName, 'service.version': version }
  const provider = new sdk.TracerProvider({
    sampler: samplerOf(sdk, settings),
    resource: resources
      .resourceFromAttributes(serviceAttributes)
      .merge(resources.detectResources({ detectors: [resources.resourceAttributesEnvDetector] })),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  })
  const tracer = provider.getTracer('winnow', version)
  const propagator = new core.W3CTraceContextPropagator()
  return {
    /** A call with a `traceparent` header joins that trace. */
    beginCall({ method, headers }: { method: string; headers: IncomingHttpHeaders }) {
      const callerContext = propagator.extract(api.ROOT_CONTEXT, headers, api.defaultTextMapGetter)
      const attributes = { 'http.request.method': method }
      const span = tracer.startSpan(method, { kind: api.SpanKind.SERVER, attributes }, callerContext)
      const spanContext = api.trace.setSpan(callerContext, span)
      return {
        run: (work: () => void) => api.context.with(spanContext, work),
        end: (outcome: Omit<EndedCall, 'method'>) => endCall(api, span, { method, ...outcome }),
      }
    },
    jobEnded: jobSpans(api, tracer),
    stop: () => provider.shutdown(),
  }
}

type Api = typeof import('@opentelemetry/api')

interface EndedCall {
  method: string
  route: string
  status: number
  requestId: string
}

function endCall(api: Api, span: Span, { method, route, status, requestId }: EndedCall): void {
  span.updateName(`${method} ${route}`)
  span.setAttributes({
    ...{ 'http.route': route, 'http.response.status_code': status, 'winnow.request_id': requestId },
  })
  // OpenTelemetry convention for servers: an error of the caller is not an error of the service.
  if (status >= 500) span.setStatus({ code: api.SpanStatusCode.ERROR })
  span.end()
}

/** Steps with a duration become spans, others events. The job is a child of the call that waited for it. */
function jobSpans(api: Api, tracer: Tracer): ObserveEnd {
  return (job) => {
    const parent = api.context.active()
    const span = tracer.startSpan(
      job.kind,
      { kind: api.SpanKind.INTERNAL, startTime: job.startedAt, attributes: jobAttributes(job) },
      parent,
    )
    if (job.state === 'failed') span.setStatus({ code: api.SpanStatusCode.ERROR, message: job.code ?? '' })
    const spanContext = api.trace.setSpan(parent, span)
    for (const step of job.steps) {
      const attributes = stepAttributes(step, job.mayStoreText)
      const endedAt = job.startedAt + step.at
      if (!('ms' in step)) {
        span.addEvent(step.step, attributes, endedAt)
        continue
      }
      // Steps are recorded at their end.
      const startTime = Math.max(job.startedAt, endedAt - step.ms)
      tracer.startSpan(nameOf(step), { attributes, startTime }, spanContext).end(endedAt)
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

/** Fields with private text are omitted if nothing of the call may be stored. */
function stepAttributes(step: TimedStep, mayStoreText: boolean): Attributes {
  const fields = Object.entries(step).filter(
    ([name, value]) =>
      !['step', 'at'].includes(name) &&
      typeof value !== 'object' &&
      (mayStoreText || !privateFields.has(name)),
  )
  return Object.fromEntries(
    fields.map(([name, value]) => [
      `winnow.${name}`,
      typeof value === 'string' ? withoutUserinfo(value) : value,
    ]),
  )
}

type SamplerName = `${'' | 'parentbased_'}${'always_on' | 'always_off' | 'traceidratio'}`

type Sdk = typeof import('@opentelemetry/sdk-trace')

/** Creates the sampler that OTEL_TRACES_SAMPLER names. The library does not parse this setting. */
function samplerOf(sdk: Sdk, { sampler, ratio }: { sampler: SamplerName; ratio: number }): Sampler {
  const samplers: Record<string, Sampler> = {
    always_off: new sdk.AlwaysOffSampler(),
    traceidratio: new sdk.TraceIdRatioBasedSampler(ratio),
  }
  const root = samplers[sampler.replace('parentbased_', '')] ?? new sdk.AlwaysOnSampler()
  return sampler.startsWith('parentbased_') ? new sdk.ParentBasedSampler({ root }) : root
}
