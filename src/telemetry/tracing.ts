import type { IncomingHttpHeaders } from 'node:http'
import type { Span, Tracer } from '@opentelemetry/api'
import type { Log } from '../base/log.ts'
import type { ObserveEnd } from '../jobs/ended-job.ts'
import { jobSpans } from './job-spans.ts'
import { type SamplerName, samplerOf } from './sampler.ts'

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
      const span = callSpan(api, tracer, { method, caller })
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

function callSpan(
  api: Api,
  tracer: Tracer,
  { method, caller }: { method: string; caller: import('@opentelemetry/api').Context },
): Span {
  const attributes = { 'http.request.method': method }
  return tracer.startSpan(method, { kind: api.SpanKind.SERVER, attributes }, caller)
}

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
