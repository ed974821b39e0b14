import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OwnService, startOwnService } from '../api.ts'
import { startTraceCollector, type TraceCollector } from '../servers/trace-collector.ts'
import { runCommand } from '../service.ts'
import { type Site, startSite } from '../site/site.ts'

const caller = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }

let site: Site
let collector: TraceCollector
let own: OwnService
let metrics: string
beforeAll(async () => {
  site = await startSite()
  collector = await startTraceCollector()
  own = await startOwnService({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-collector=a%20word',
    OTEL_SERVICE_NAME: 'pages',
  })
  await runCommand(['key', 'set', '--team', 'default', '--zero-retention', 'on'], own.environment)
  const traceparent = `00-${caller.traceId}-${caller.spanId}-01`
  await own.call('POST', '/v2/scrape', {
    body: { url: `${site.url}/article`, maxAge: 0 },
    headers: { traceparent },
  })
  await own.call('POST', '/v2/scrape', { body: { url: `${site.url}/article` } })
  const zeroRetention = await own.call('POST', '/v2/scrape', {
    body: { url: `${site.url}/article?secret=of-the-caller`, zeroDataRetention: true },
  })
  expect(zeroRetention.body).toMatchObject({ success: true })
  const withPassword = site.url.replace('://', '://visitor:word-of-passage@')
  await own.call('POST', '/v2/scrape', { body: { url: `${withPassword}/reset` } })
  const { body } = await own.call('POST', '/v2/batch/scrape', {
    body: { urls: [`${site.url}/article?batch`] },
  })
  for (;;) {
    const status = await own.call('GET', `/v2/batch/scrape/${body.id}`)
    if (status.body.status === 'completed') break
    await sleep(100)
  }
  metrics = (await own.call('GET', '/metrics', { key: null })).body
  // The stop sends the spans that are still pending.
  await own.stop()
})
afterAll(async () => {
  await own.remove()
  collector.stop()
  await site.stop()
})

describe('metrics', () => {
  it('count jobs, attempts and cache lookups, and report waiting work', async () => {
    const value = (series: string) =>
      Number(
        metrics
          .split('\n')
          .find((line) => line.startsWith(`${series} `))
          ?.split(' ')[1],
      )
    expect(value('winnow_jobs_ended_total{kind="scrape",state="completed",code=""}')).toBe(4)
    expect(value('winnow_jobs_ended_total{kind="batch_scrape",state="completed",code=""}')).toBe(1)
    expect(metrics).toMatch(/winnow_jobs_ended_total\{kind="scrape",state="failed",code="SCRAPE_\w+"\} 1/)
    expect(value('winnow_attempts_total{engine="http",proxy="basic",verdict="good"}')).toBe(3)
    expect(metrics).toMatch(/winnow_attempts_total\{engine="http",proxy="basic",verdict="SCRAPE_\w+"\} 1/)
    expect(value('winnow_cache_lookups_total{result="hit"}')).toBe(1)
    expect(value('winnow_attempt_seconds_count{engine="http"}')).toBe(4)
    expect(value('winnow_webhooks_waiting')).toBe(0)
    expect(value('winnow_webhooks_oldest_seconds')).toBe(0)
    expect(value('winnow_browser_pages')).toBe(0)
    expect(metrics).toContain('# TYPE winnow_queue_jobs gauge')
  })

  it('include all metrics of the dashboard and the alerts', async () => {
    const available = new Set(
      [...metrics.matchAll(/^# TYPE (\S+) (\w+)/gm)].flatMap(([, name = '', type]) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
      ),
    )
    const folder = new URL('../../deploy/monitoring/', import.meta.url)
    const used = readdirSync(folder).flatMap((file) => [
      ...readFileSync(new URL(file, folder), 'utf8').matchAll(/\b(?:winnow|nodejs|process)_[a-z0-9_]+/g),
    ])
    expect(used.length).toBeGreaterThan(20)
    expect([...new Set(used.map(([name]) => name))].filter((name) => !available.has(name))).toEqual([])
  })
})

describe('traces', () => {
  it('contain a call, its job and each attempt, below the span of the caller', () => {
    const call = collector.spans.find((span) => span.parentSpanId === caller.spanId)
    expect(call).toMatchObject({
      name: 'POST /v2/scrape',
      traceId: caller.traceId,
      attributes: { 'http.route': '/v2/scrape', 'http.response.status_code': 200 },
    })
    const job = collector.spans.find((span) => span.parentSpanId === call?.spanId)
    expect(job).toMatchObject({ name: 'scrape', attributes: { 'winnow.job.target': `${site.url}/article` } })
    expect(job?.events).toContain('plan')
    const steps = collector.spans.filter((span) => span.parentSpanId === job?.spanId)
    expect(steps.map(({ name }) => name)).toEqual(['fetch http', 'write'])
    for (const { startMs, endMs } of steps) {
      expect(startMs).toBeGreaterThanOrEqual((job?.startMs ?? 0) - 1)
      expect(endMs).toBeLessThanOrEqual((job?.endMs ?? 0) + 1)
    }
  })

  it('contain the code of a failure', () => {
    const failed = collector.spans.filter((span) => span.isError && span.name === 'scrape')
    expect(failed).toHaveLength(1)
    expect(failed[0]?.attributes['error.type']).toMatch(/^SCRAPE_/)
  })

  it('contain no password of a URL, and neither does the log', () => {
    const targets = collector.spans.map(({ attributes }) => attributes['winnow.job.target'])
    expect(targets).toContain(`${site.url}/reset`)
    expect(JSON.stringify(collector.spans)).not.toContain('word-of-passage')
    expect(own.output()).not.toContain('word-of-passage')
  })

  it('contain pages of background jobs', () => {
    const page = collector.spans.find(
      ({ attributes }) => attributes['winnow.job.target'] === `${site.url}/article?batch`,
    )
    expect(page).toMatchObject({ name: 'scrape', attributes: { 'winnow.job.parent_id': expect.any(String) } })
  })

  it('contain no data of a call with zero retention', () => {
    expect(JSON.stringify(collector.spans)).not.toContain('of-the-caller')
  })

  it('have the name of the service, and are sent with the headers of the standard variables', () => {
    expect([...collector.services]).toEqual(['pages'])
    expect(collector.headers[0]).toMatchObject({ 'x-collector': 'a word' })
  })
})
