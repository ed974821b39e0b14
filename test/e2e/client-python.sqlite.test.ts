import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Json, teamKey } from '../api.ts'
import { programs } from '../code-session.ts'
import { docx } from '../documents/office.ts'
import { lamps } from '../documents/post.ts'
import { resultOf, runKinds, withoutPackages as without } from '../python-library.ts'
import { temporaryFolder } from '../service.ts'
import { lampRoutes } from '../site/lamps.ts'
import { type Site, startSite } from '../site/site.ts'

const kinds = ['Firecrawl', 'AsyncFirecrawl'] as const

let site: Site
const files = temporaryFolder()
/** Results of each step, by kind of client. */
let outcomes: Record<string, Record<string, Json>> = {}
beforeAll(async () => {
  site = await startSite({ routes: lampRoutes })
  writeFileSync(join(files.path, 'lamps.pdf'), lamps)
  writeFileSync(join(files.path, 'lighthouse.docx'), docx())
  const input = { url: inject('deployment').urls[0] ?? '', key: teamKey(), site: site.url, files: files.path }
  outcomes = await runKinds('client.py', kinds, input)
}, 180_000)
afterAll(async () => {
  await site.stop()
  files.remove()
})

describe.skipIf(without !== '').each(kinds)(`the published Python client, %s${without}`, (kind) => {
  const outcome = (step: string): Json => resultOf(outcomes[kind], step)

  it('scrapes with options', () => {
    const { markdown, links, raw_html, images, metadata } = outcome('scrape')
    expect(markdown).not.toContain('|')
    expect(links.length).toBeGreaterThan(0)
    expect(images.length).toBeGreaterThan(0)
    expect(raw_html).toMatch(/^<!doctype html>/i)
    expect(metadata).toMatchObject({ status_code: 200, source_url: `${site.url}/article`, credits_used: 1 })
  })

  it('scrapes in a browser, with actions and a screenshot', () => {
    const { markdown, screenshot } = outcome('scrape_in_a_browser')
    expect(markdown).toContain('added')
    expect(screenshot).toMatch(/^http/)
  })

  it('gets an error with the reason why a scrape failed', () => {
    const failed = { kind: 'DNSResolutionError', message: expect.stringMatching(/does not resolve/) }
    expect(outcome('scrape_failing')).toMatchObject(failed)
    const unauthorized = { kind: 'UnauthorizedError', status: 401 }
    expect(outcome('scrape_with_a_wrong_key')).toMatchObject(unauthorized)
  })

  it('crawls to the end', () => {
    const { data, ...job } = outcome('crawl')
    expect(job).toMatchObject({ status: 'completed', total: 6, completed: 6, credits_used: 6 })
    expect(new Set(data.map((document: Json) => document.metadata.source_url)).size).toBe(6)
    for (const { markdown, links } of data)
      expect([typeof markdown, Array.isArray(links)]).toEqual(['string', true])
  })

  it('starts, lists and cancels a crawl', () => {
    const { id, active, ...rest } = outcome('cancel_a_crawl')
    expect(active).toContain(id)
    expect(rest).toMatchObject({
      ...{ running: 'scraping', cancelled: true, ended: 'cancelled', again: false },
      errors: { errors: [], robots_blocked: [] },
    })
  })

  it('runs a batch to its end, and cancels another', () => {
    const { data, ...job } = outcome('batch')
    expect(job).toMatchObject({ status: 'completed', total: 5, completed: 5, credits_used: 5 })
    expect(data).toHaveLength(5)
    expect(outcome('cancel_a_batch')).toMatchObject({
      ...{ running: 'scraping', cancelled: true, ended: 'cancelled', errors: { errors: [] } },
    })
  })

  it('maps a site', () => {
    const { links } = outcome('map_a_site')
    expect(links).toHaveLength(20)
    expect(links[0]).toMatchObject({ url: `${site.url}/shop/product/12` })
  })

  it('searches every source, with and without scraping', () => {
    const { found, scraped } = outcome('search')
    expect(found.web.length).toBeGreaterThan(0)
    expect(found.images[0].url).toContain(`${site.url}/library/`)
    // The asyncio client uses another field name than the API.
    if (kind === 'Firecrawl') expect(found.images[0].image_url).toContain('.png')
    expect(found.news[0]).toMatchObject({ title: 'Storm closes the harbour' })
    expect(scraped.web[0].markdown).toContain('two moorings')
  })

  it('reads values with a Pydantic model, summaries, answers and highlights', () => {
    const { scraped, lamp, crawled, found, parsed } = outcome('reading')
    expect(lamp).toMatchObject({ title: 'Desk lamp', price: 1299, weight_kg: 2.5 })
    for (const document of [scraped, crawled, found]) {
      expect(document.json).toEqual({ title: 'Desk lamp', price: 1299, weight_kg: 2.5 })
      expect(document.summary).toContain('oiled paper')
      expect(document.answer).toContain('> The Desk lamp was shown in Lund in 1972')
      expect(document.highlights).toContain('Its shade is made of oiled paper')
    }
    expect(scraped.warning).toContain('maker')
    expect(parsed.answer).toContain('> The fog lifts at noon')
  })

  it('parses bytes, a path and an open file, with options', () => {
    const { plain, path, opened, damaged } = outcome('parse')
    expect(plain.markdown).toContain('# Fog')
    expect(path.markdown).toContain('# Report on lamps')
    expect(path.metadata).toMatchObject({ num_pages: 1, credits_used: 1 })
    expect(opened.markdown).toContain('| 1901 | 42 |')
    expect(opened.markdown).not.toContain('burns')
    expect(opened.html).toContain('<td>1901</td>')
    expect(damaged).toMatchObject({ status: 422, code: 'DOCUMENT_DAMAGED' })
  })

  it('opens, uses, lists and deletes a browser', () => {
    const { session, bash, node, python, listed, deleted, gone, late } = outcome('browser')
    expect(session).toMatchObject({ success: true, cdp_url: expect.stringMatching(/^ws/) })
    expect(session.live_view_url).toContain('/live/')
    expect(bash).toMatchObject({ success: true, stdout: '42\n', exit_code: 0 })
    expect(node.result).toBe(`${site.url}/pages/6`)
    if (programs.python) expect(python.result).toContain('6')
    expect(listed).toContain(session.id)
    expect(deleted).toMatchObject({ success: true, credits_billed: 2 })
    expect(gone).not.toContain(session.id)
    expect(late.answer ?? late).toMatchObject(
      kind === 'Firecrawl'
        ? { status: 410 }
        : { success: false, error: expect.stringContaining('destroyed') },
    )
  })

  it('interacts with a page that it has scraped, and stops', () => {
    const { ran, shell, failed, stopped, late } = outcome('interact')
    expect(ran).toMatchObject({ success: true, exit_code: 0, result: expect.stringContaining('5') })
    expect(ran.live_view_url).toContain('/live/')
    expect(shell.stdout).toBe('here\n')
    expect(failed.message).toContain('no luck')
    expect(stopped).toMatchObject({ success: true, credits_billed: 2 })
    expect(late.status).toBe(410)
  })

  it('reads usage, queue and concurrency', () => {
    expect(outcome('usage')).toMatchObject({
      concurrency: { max_concurrency: expect.any(Number) },
      credits: { remaining_credits: 999_999_999 },
      tokens: { remaining_tokens: expect.any(Number) },
      queue: { jobs_in_queue: expect.any(Number) },
    })
  })
})
