import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Json, teamKey } from '../api.ts'
import { resultOf, runKinds, withoutPackages as without } from '../python-library.ts'
import { lampRoutes } from '../site/lamps.ts'
import { page, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

const kinds = ['V1FirecrawlApp', 'AsyncV1FirecrawlApp'] as const

let site: Site
/** Results of each step, by kind of client. */
let outcomes: Record<string, Record<string, Json>> = {}
beforeAll(async () => {
  site = await startSite({
    routes: {
      ...lampRoutes,
      '/turning': (exchange) => sendHtml(exchange, page('Turning', `<p>Visit number ${exchange.visit}.</p>`)),
    },
  })
  const input = { url: inject('deployment').urls[0] ?? '', key: teamKey(), site: site.url }
  outcomes = await runKinds('client_v1.py', kinds, input)
}, 180_000)
afterAll(() => site.stop())

describe.skipIf(without !== '').each(kinds)(`the published Python client, %s${without}`, (kind) => {
  const outcome = (step: string): Json => resultOf(outcomes[kind], step)

  it('scrapes with options', () => {
    const document = outcome('scrape')
    expect(document).toMatchObject({ json: { price: 1299 }, metadata: { statusCode: 200 } })
    expect(document.markdown).toContain('Desk lamp')
    expect(document.rawHtml).toMatch(/^<!doctype html>/i)
    expect(document.changeTracking).toMatchObject({ changeStatus: 'new' })
  })

  it('reads the changes of a page', () => {
    const { changeStatus, diff } = outcome('scrape_again').changeTracking
    expect(changeStatus).toBe('changed')
    // The asyncio client does not send the modes of change tracking.
    if (kind === 'AsyncV1FirecrawlApp') return
    expect(diff.text).toContain('+Visit number')
    expect(diff.json.files).toHaveLength(1)
  })

  it('gets an error with the reason why a scrape failed', () => {
    expect(outcome('failing').message).toContain('does not resolve')
  })

  it('crawls to the end, and cancels a crawl', () => {
    const { data, ...job } = outcome('crawl')
    expect(job).toMatchObject({ status: 'completed', total: 6, completed: 6, creditsUsed: 6 })
    expect(new Set(data.map((document: Json) => document.metadata.sourceURL)).size).toBe(6)
    expect(outcome('cancel_a_crawl')).toMatchObject({
      ...{ running: 'scraping', cancelled: { status: 'cancelled' }, ended: 'cancelled' },
      errors: { errors: [], robotsBlocked: [] },
    })
  })

  it('runs a batch to its end', () => {
    expect(outcome('batch')).toMatchObject({ status: 'completed', total: 3, data: { length: 3 } })
  })

  it('watches a crawl', () => {
    expect(outcome('watch')).toEqual({ documents: 3, ends: ['completed'] })
  })

  it('maps, searches, extracts and reads usage', () => {
    const { links } = outcome('map_a_site')
    expect([links.length, links[0]]).toEqual([20, `${site.url}/shop/product/12`])
    expect(outcome('search')[0]).toMatchObject({ url: expect.any(String), markdown: expect.any(String) })
    expect(outcome('extract')).toMatchObject({ success: true, status: 'completed', data: { price: 1299 } })
    expect(outcome('usage')).toMatchObject({
      credits: { data: { remaining_credits: 999_999_999 } },
      tokens: { data: { remaining_tokens: expect.any(Number) } },
    })
  })
})
