import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type Json, type OwnService, startOwnService } from '../api.ts'
import { runCommand } from '../service.ts'
import { type WorstPage, worstPages } from '../site/worst-pages.ts'
import { addTableRow, attackClass, isFull, wasBlocked } from './attack.ts'

const mega = 1024 * 1024
/** The short form has its own bounds, so that its pages can be small. */
const bounds = isFull
  ? { html: 32, text: 32, file: 64, answer: 64 }
  : { html: 4, text: 4, file: 8, answer: 12 }
const within = (isFull ? 20 : 1.1) * mega
const formats = ['markdown', 'html', 'links', 'rawHtml']

let service: OwnService
let site: Server
let siteUrl: string
beforeAll(async () => {
  service = await startOwnService({
    MAX_HTML_MB: String(bounds.html),
    MAX_TEXT_MB: String(bounds.text),
    MAX_FILE_MB: String(bounds.file),
    MAX_ANSWER_MB: String(bounds.answer),
    LARGE_PAGES: '3',
    // Response checks would validate every large response against its schema, on the main thread.
    CHECK_RESPONSES: 'off',
  })
  site = createServer((request, response) => {
    const [, index, bytes] = (request.url ?? '').split('/').map(Number)
    const page = worstPages[index ?? -1]
    if (!page) return void response.writeHead(404).end()
    const coding = page.contentEncoding === undefined ? {} : { 'content-encoding': page.contentEncoding }
    response.writeHead(200, { 'content-type': page.contentType, ...coding })
    response.end(page.body(bytes ?? 0))
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
})
afterAll(async () => {
  await service.remove()
  site.close()
  site.closeAllConnections()
})

const scrape = (page: WorstPage, bytes: number, options: object = {}) =>
  service.call('POST', '/v2/scrape', {
    body: {
      url: `${siteUrl}/${worstPages.indexOf(page)}/${bytes}`,
      ...{ formats, maxAge: 0, fastMode: true, timeout: 120_000, ...options },
    },
  })

async function parse(page: WorstPage, bytes: number): Promise<Answer> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(page.body(bytes))]), page.fileName)
  form.append('options', JSON.stringify({ formats, timeout: 120_000 }))
  const headers = { authorization: `Bearer ${service.key}` }
  const response = await fetch(`${service.url}/v2/parse`, { method: 'POST', headers, body: form })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

/**
 * Runs a call while it polls the health of the service. Returns the result and the longest time without a response.
 */
async function withHealthChecks<Result>(
  work: Promise<Result>,
): Promise<{ result: Result; silence: number; took: number }> {
  let isOver = false
  let silence = 0
  const began = performance.now()
  const done = work.finally(() => {
    isOver = true
  })
  while (!isOver) {
    const sentAt = performance.now()
    await fetch(`${service.url}/health/live`).then((response) => response.text())
    silence = Math.max(silence, performance.now() - sentAt)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return { result: await done, silence, took: performance.now() - began }
}

const megabytesOf = (kind: 'VmRSS' | 'VmHWM') =>
  Number(
    new RegExp(`${kind}:\\s+(\\d+) kB`).exec(
      readFileSync(`/proc/${service.process.pid}/status`, 'utf8'),
    )?.[1],
  ) / 1024

const knownErrors = new Set([
  ...['SCRAPE_PAGE_TOO_LARGE', 'DOCUMENT_LIMIT_EXCEEDED', 'DOCUMENT_DAMAGED', 'SCRAPE_TIMEOUT'],
])

/** Returns undefined for content of the page and for a known error, otherwise a description of the response. */
function findWrongResponse({ status, body }: Answer): string | undefined {
  if (status === 200) return typeof body.data?.rawHtml === 'string' ? undefined : 'answered without content'
  return knownErrors.has(body.code) ? undefined : `answered ${status} ${body.code}`
}

describe('threads that read pages', () => {
  it('serve another team while one team occupies all of them', async () => {
    const createdKey = await runCommand(['key', 'create', '--team', 'other'], service.environment)
    const key = /fc-[0-9a-f]{32}/.exec(createdKey.stdout)?.[0] ?? ''
    const slow = worstPages.find(({ kind }) => kind === 'entities') as WorstPage
    const url = `${siteUrl}/${worstPages.findIndex(({ kind }) => kind === 'inline style')}/20000`
    const small = () =>
      service.call('POST', '/v2/scrape', { key, body: { url, maxAge: 0, fastMode: true, timeout: 120_000 } })
    await small()
    let unfinished = isFull ? 24 : 8
    const calls = Array.from({ length: unfinished }, () =>
      scrape(slow, 1.5 * mega).finally(() => (unfinished -= 1)),
    )
    // After the first page was read, all threads are busy.
    await Promise.race(calls)
    const unfinishedCounts: number[] = []
    for (let call = 0; call < 3; call += 1) {
      expect((await small()).status).toBe(200)
      unfinishedCounts.push(unfinished)
    }
    await Promise.all(calls)
    addTableRow({
      name: 'reader threads filled by one team',
      vectors: 3,
      hits: unfinishedCounts.filter((unfinishedCount) => unfinishedCount === 0).length,
    })
    // If the queue were first in, first out, no page of the first team would be left at that time.
    expect(unfinishedCounts[0]).toBeGreaterThan(2)
  }, 240_000)
})

const pages = worstPages.filter(({ isBomb, fileName }) => !isBomb && !fileName)
/** Kinds of pages that are sent concurrently. The short form does not send them individually as well. */
const concurrentPages = isFull ? [...pages, ...pages.slice(0, 36 - pages.length)] : pages.slice(0, 12)

describe('the worst page of every kind', () => {
  attackClass({
    name: 'pages that take long to read',
    vectors: isFull ? pages : pages.filter((page) => !concurrentPages.includes(page)),
    short: 10,
    async run(page) {
      const outcome = await withHealthChecks(scrape(page, within))
      return wasBlocked(outcome)
        ? `held the loop for ${Math.round(outcome.silence)} ms`
        : findWrongResponse(outcome.result)
    },
    timeout: isFull ? 900_000 : 240_000,
  })

  attackClass({
    name: 'files that take long to read',
    vectors: worstPages.filter(({ fileName }) => fileName !== undefined),
    async run(page) {
      const outcome = await withHealthChecks(parse(page, within))
      return wasBlocked(outcome)
        ? `held the loop for ${Math.round(outcome.silence)} ms`
        : findWrongResponse(outcome.result)
    },
    timeout: isFull ? 900_000 : 240_000,
  })

  attackClass({
    name: 'bombs in every content coding',
    vectors: worstPages.filter(({ isBomb }) => isBomb),
    async run(page) {
      const { result } = await withHealthChecks(scrape(page, (isFull ? 1024 : 64) * mega))
      return findWrongBound(result, 'MAX_HTML_MB', bounds.html)
    },
  })

  attackClass({
    name: 'pages beyond their bounds',
    vectors: pages,
    short: 6,
    async run(page) {
      const isHtml = page.contentType.startsWith('text/html')
      const [name, max] = isHtml
        ? (['MAX_HTML_MB', bounds.html] as const)
        : (['MAX_TEXT_MB', bounds.text] as const)
      return findWrongBound(await scrape(page, (max + 1) * 1.5 * mega), name, max)
    },
  })

  function findWrongBound({ body }: Answer, bound: string, max: number): string | undefined {
    const isRefused = body.code === 'SCRAPE_PAGE_TOO_LARGE' && body.bound === bound && body.most === max
    return isRefused && body.error.includes(bound)
      ? undefined
      : `was not refused by ${bound}: ${toExcerpt(body)}`
  }

  const toExcerpt = (body: Json) => JSON.stringify(body).slice(0, 200)

  it('returns a page within the bounds completely', async () => {
    const page = worstPages.find(({ kind }) => kind === 'text of "<"') as WorstPage
    const { body } = await scrape(page, mega)
    expect(body.data.rawHtml).toBe('<'.repeat(mega))
    expect(body.data.markdown).toBe('<'.repeat(mega))
    expect(body.data.html).toBe(`<pre>${'&lt;'.repeat(mega)}</pre>`)
    const again = await service.call('GET', `/v2/scrape/${body.data.metadata.scrapeId}`)
    expect(again.body.data).toEqual(body.data)
  })

  it('is rejected with MAX_ANSWER_MB if its formats are too large together', async () => {
    const page = worstPages.find(({ kind }) => kind === 'text of "<"') as WorstPage
    const { body } = await scrape(page, (bounds.text - 1) * mega)
    expect(body).toMatchObject({ code: 'SCRAPE_PAGE_TOO_LARGE', bound: 'MAX_ANSWER_MB', most: bounds.answer })
  })

  it('takes no more memory for many concurrent calls', async () => {
    const outcome = await withHealthChecks(
      Promise.all(concurrentPages.map((page) => scrape(page, within, { timeout: 300_000 }))),
    )
    const harms = outcome.result.map(findWrongResponse).filter((harm) => harm !== undefined)
    const peak = megabytesOf('VmHWM')
    addTableRow({ name: 'worst pages at once', vectors: concurrentPages.length, hits: harms.length })
    expect(harms).toEqual([])
    expect(wasBlocked(outcome)).toBe(false)
    expect(peak).toBeLessThan(isFull ? 3000 : 1500)
  }, 600_000)
})
