import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { call, type Json, scrape, teamKey } from '../api.ts'
import { until } from '../servers/until.ts'
import { page, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite({
    routes: {
      '/article': (exchange) =>
        sendHtml(
          exchange,
          page(
            'The tide',
            `<article><p>${'The tide comes twice a day. '.repeat(30)}</p><aside class="note">${'Aside words. '.repeat(20)}</aside></article><p hidden>${'Nobody sees this. '.repeat(5)}</p>`,
          ),
        ),
    },
  })
})
afterAll(() => site.stop())

const traceOf = async (id: string) => (await call('GET', `/v2/jobs/${id}/trace`)).body.data as Json
const stepsOf = (trace: Json, name: string) => trace.steps.filter(({ step }: Json) => step === name)

describe('the trace of a scrape', () => {
  it('contains the plan, the fetch, and the kept and omitted text', async () => {
    const { body } = await scrape({ url: `${site.url}/article`, excludeTags: ['.note'], maxAge: 0 })
    const trace = await traceOf(body.data.metadata.scrapeId)
    expect(trace).toMatchObject({ kind: 'scrape', state: 'completed', credits: 1, error: null, pages: null })
    expect(stepsOf(trace, 'plan')).toMatchObject([
      { formats: ['markdown'], excludeTags: 1, cache: 'not read' },
    ])
    expect(stepsOf(trace, 'fetch')).toMatchObject([{ engine: 'http', result: 'page', status: 200 }])
    expect(stepsOf(trace, 'verdict')).toMatchObject([{ kind: 'good' }])
    const [read] = stepsOf(trace, 'read')
    const reasons = read.leftOut.map(({ reason }: Json) => reason)
    expect(reasons).toEqual(expect.arrayContaining(['excludeTags', 'hidden on the page']))
    const omitted = read.leftOut.reduce((sum: number, { characters }: Json) => sum + characters, 0)
    expect(read.keptCharacters + omitted).toBe(read.pageCharacters)
    expect(stepsOf(trace, 'write')[0].markdownCharacters).toBeGreaterThan(800)
  })

  it('contains the waits of the browser and the results of actions', async () => {
    const { body } = await scrape({
      url: `${site.url}/article`,
      actions: [
        { type: 'wait', milliseconds: 10 },
        { type: 'scroll', direction: 'down' },
      ],
    })
    const trace = await traceOf(body.data.metadata.scrapeId)
    expect(stepsOf(trace, 'plan')).toMatchObject([{ browserFor: 'actions', actions: 2 }])
    expect(stepsOf(trace, 'wait').length).toBeGreaterThan(0)
    expect(stepsOf(trace, 'action')).toMatchObject([
      { index: 0, type: 'wait', result: 'done' },
      { index: 1, type: 'scroll', result: 'done' },
    ])
  })

  it('contains a cache hit', async () => {
    const request = { url: `${site.url}/article?cached` }
    await scrape(request)
    const data = await until('a hit', 20_000, async () => {
      const { body } = await scrape(request)
      return body.data.metadata.cacheState === 'hit' ? body.data : undefined
    })
    const trace = await traceOf(data.metadata.scrapeId)
    expect(stepsOf(trace, 'cache')).toMatchObject([{ result: 'hit', fetchedAt: expect.any(Number) }])
    expect(stepsOf(trace, 'fetch')).toEqual([])
  })

  it('exists for a failed scrape', async () => {
    const { body } = await scrape({ url: 'http://nowhere.invalid/', maxAge: 0 })
    expect(body.code).toBe('SCRAPE_DNS_RESOLUTION_ERROR')
    const trace = await traceOf(body.id)
    expect(trace.error.code).toBe('SCRAPE_DNS_RESOLUTION_ERROR')
    expect(stepsOf(trace, 'fetch')[0]).toMatchObject({ result: 'error', code: 'SCRAPE_DNS_RESOLUTION_ERROR' })
  })

  it('is referenced by other errors, unless there is no job yet', async () => {
    const timedOut = (await scrape({ url: `${site.url}/slow?ms=5000`, timeout: 1000, maxAge: 0 })).body
    expect(timedOut.code).toBe('SCRAPE_TIMEOUT')
    expect((await traceOf(timedOut.id)).error).toMatchObject({ code: 'SCRAPE_TIMEOUT' })
    expect((await traceOf(timedOut.id)).error.detail).not.toHaveProperty('id')
    const cacheMiss = (await scrape({ url: `${site.url}/never?kept`, minAge: 1 })).body
    expect(cacheMiss.code).toBe('SCRAPE_NO_CACHED_DATA')
    expect((await traceOf(cacheMiss.id)).kind).toBe('scrape')
    const map = (await call('POST', '/v2/map', { body: { url: 'http://nowhere.invalid/' } })).body
    expect(map).toMatchObject({ success: false, id: expect.any(String) })
    expect((await traceOf(map.id)).kind).toBe('map')
    expect((await scrape({ url: 'no address' })).body).not.toHaveProperty('id')
  })

  it('is readable only by its team', async () => {
    const { body } = await scrape({ url: `${site.url}/article` })
    const key = Object.values(inject('deployment').keys).find((other) => other !== teamKey()) ?? ''
    const path = `/v2/jobs/${body.data.metadata.scrapeId}/trace`
    expect((await call('GET', path, { key })).body.code).toBe('JOB_NOT_FOUND')
    expect((await call('GET', '/v2/jobs/nothing/trace')).status).toBe(400)
  })
})

describe('the trace of a map', () => {
  it('contains the result of the sitemaps', async () => {
    const { body } = await call('POST', '/v2/map', { body: { url: `${site.url}/tree` } })
    const [step] = stepsOf(await traceOf(body.id), 'sitemaps')
    expect(step).toMatchObject({ mode: 'include', files: expect.any(Number), found: expect.any(Number) })
  })
})

describe('the trace of a crawl', () => {
  it('counts its pages, and each page has its own trace', async () => {
    const { body } = await call('POST', '/v2/crawl', { body: { url: `${site.url}/tree`, limit: 3 } })
    const ended = await until('the end of the crawl', 30_000, async () => {
      const { body: status } = await call('GET', `/v2/crawl/${body.id}`)
      return status.status === 'completed' ? status : undefined
    })
    const trace = await traceOf(body.id)
    expect(trace).toMatchObject({ kind: 'crawl', state: 'completed', pages: { completed: 3, failed: 0 } })
    expect(stepsOf(trace, 'robots')).toMatchObject([{ result: 'allowed' }])
    expect(stepsOf(trace, 'sitemaps')).toMatchObject([{ mode: 'include', found: expect.any(Number) }])
    const child = await traceOf(ended.data[0].metadata.scrapeId)
    expect(child.parentId).toBe(body.id)
    expect(stepsOf(child, 'robots')).toMatchObject([{ result: 'allowed' }])
  })
})
