import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

export interface CollectedSpan {
  name: string
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  startMs: number
  endMs: number
  isError: boolean
  attributes: Record<string, unknown>
  events: string[]
}

export interface TraceCollector {
  url: string
  spans: CollectedSpan[]
  headers: IncomingHttpHeaders[]
  /** Names of the services that sent spans. */
  services: Set<unknown>
  stop(): void
}

// biome-ignore lint/suspicious/noExplicitAny: The protocol is read here alone.
type Json = any

/** Starts a collector that receives traces over HTTP as JSON, in the OpenTelemetry protocol (OTLP). */
export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = []
  const headers: IncomingHttpHeaders[] = []
  const services = new Set<unknown>()
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST' || request.url !== '/v1/traces') return void response.writeHead(404).end()
    headers.push(request.headers)
    const { resourceSpans }: Json = await json(request)
    for (const { resource, scopeSpans } of resourceSpans) {
      services.add(attributesOf(resource.attributes)['service.name'])
      for (const scope of scopeSpans) spans.push(...scope.spans.map(spanOf))
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, spans, headers, services, stop: () => void server.close() }
}

function spanOf(span: Json): CollectedSpan {
  return {
    ...{ name: span.name, traceId: span.traceId, spanId: span.spanId, parentSpanId: span.parentSpanId },
    startMs: Number(span.startTimeUnixNano) / 1e6,
    endMs: Number(span.endTimeUnixNano) / 1e6,
    isError: span.status?.code === 2,
    attributes: attributesOf(span.attributes),
    events: (span.events ?? []).map((event: Json) => event.name),
  }
}

const attributesOf = (list: Json): Record<string, unknown> =>
  Object.fromEntries((list ?? []).map(({ key, value }: Json) => [key, Object.values(value)[0]]))
