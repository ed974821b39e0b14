import { afterEach, describe, expect, it } from 'vitest'
import { silentLog } from '../base/log.ts'
import { readPage } from '../content/content.ts'
import { noSiteBlocks } from '../content/main-content/site-blocks.ts'
import type { Page } from '../content/page.ts'
import type { ContentPart } from '../content/parts.ts'
import { type PageReader, pageReader } from './page-reader.ts'

let reader: PageReader | undefined
afterEach(() => reader?.stop())

function start(changes: object = {}): PageReader {
  const limits = { threads: 1, megabytes: 512, idleMs: 60_000, graceMs: 50, ...changes }
  reader = pageReader(limits, silentLog)
  return reader
}

const usual = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }
const alive = new AbortController().signal

function known(html: string, options: object = {}) {
  const page: Page = {
    requestedUrl: 'https://example.test/a',
    url: 'https://example.test/a',
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    bytes: Buffer.from(html),
    fetchedAt: 0,
  }
  const all = { ...usual, ...options }
  return { page, options: all, content: readPage(page, all) }
}

const story = (number: number) =>
  `<p>Story ${number} tells of a voyage to the harbour of town ${number}, of its people &amp; its ships, and of what became of them.</p>`
const article = (count: number) =>
  `<title>Stories</title><body><nav><a href="/home">Home</a></nav><article><h1>Stories</h1>${Array.from({ length: count }, (_, index) => story(index)).join('')}<img src="/i.png" alt="A ship"></article></body>`

const parts: ContentPart[] = ['metadata', 'markdown', 'html', 'links', 'images', 'tree', 'base']

describe('a page read in another thread', () => {
  it('is what it is when read here', async () => {
    const page = known(article(200))
    const read = await start().read(page, parts, alive)
    const { content } = known(article(200))
    for (const part of parts) expect(read[part]()).toEqual(content[part]())
    expect(read.rawHtml()).toBe(content.rawHtml())
  })

  it('has other parts too, made when they are asked for', async () => {
    const page = known(article(200))
    const read = await start().read(page, ['metadata'], alive)
    expect(read.markdown()).toBe(page.content.markdown())
  })

  it('warns of a part when that is asked for', async () => {
    const page = known(article(200), { includeTags: ['.nowhere'] })
    const read = await start().read(page, ['metadata', 'markdown'], alive)
    read.metadata()
    expect(read.warnings()).toEqual([])
    read.markdown()
    expect(read.warnings()).toEqual(['No element of the page matches includeTags.'])
  })

  it('lets the loop of this thread turn meanwhile', async () => {
    const page = known(article(5000))
    let [turns, isRead] = [0, false]
    const turn = () => {
      turns += 1
      if (!isRead) setImmediate(turn)
    }
    turn()
    await start().read(page, ['markdown'], alive)
    isRead = true
    // Two would be one for each way.
    expect(turns).toBeGreaterThan(20)
  })

  it('waits for its turn', async () => {
    const reading = start()
    const pages = [200, 300, 400].map((count) => known(article(count)))
    const read = await Promise.all(pages.map((page) => reading.read(page, ['markdown'], alive)))
    expect(read.map((content) => content.markdown())).toEqual(pages.map(({ content }) => content.markdown()))
  })

  it('adds its texts to those of the site', async () => {
    const reading = start({ threads: 2 })
    const site = noSiteBlocks()
    const notice =
      '<p>Please remember that our office moves in spring, and that letters go to the new address.</p>'
    const ofSite = (number: number) =>
      known(article(120).replaceAll('Story', `Story ${number} of`).replace('<p>', `${notice}<p>`), { site })
    const first = await reading.read(ofSite(0), ['markdown'], alive)
    expect(first.markdown()).toContain('letters go to the new address')
    for (let number = 1; number < 8; number += 1) await reading.read(ofSite(number), ['markdown'], alive)
    const last = await reading.read(ofSite(9), ['markdown'], alive)
    expect(site.pages).toBe(9)
    expect(last.markdown()).not.toContain('letters go to the new address')
    expect(last.markdown()).toContain('Story 9 of 7 tells')
  })
})

describe('a page that cannot be read', () => {
  /** Texts with references are kept one by one. */
  const swollen = `<p>${'a&amp;b<b>c</b>'.repeat(300_000)}</p>`

  it('fails alone when it takes too much memory', async () => {
    const reading = start({ megabytes: 13 })
    const reads = [
      reading.read(known(swollen), ['markdown'], alive),
      reading.read(known(article(200)), parts, alive),
    ]
    const [failed, read] = await Promise.allSettled(reads)
    expect(failed).toMatchObject({ status: 'rejected', reason: { code: 'SCRAPE_PAGE_TOO_LARGE' } })
    expect(read?.status).toBe('fulfilled')
  })

  it('is given up when nobody waits for it any more, and its thread with it', async () => {
    const reading = start()
    const gone = new AbortController()
    const given = reading.read(known(swollen), parts, gone.signal)
    const behind = new AbortController()
    const waiting = reading.read(known(article(200)), parts, behind.signal)
    gone.abort(new Error('the caller has gone'))
    behind.abort(new Error('this one too'))
    await expect(given).rejects.toThrow('the caller has gone')
    await expect(waiting).rejects.toThrow('this one too')
    const read = await reading.read(known(article(200)), ['markdown'], alive)
    expect(read.markdown()).toContain('Story 7')
  })

  it('is cancelled by a stop', async () => {
    const reading = start()
    const reads = [
      reading.read(known(swollen), parts, alive),
      reading.read(known(article(200)), parts, alive),
    ]
    const ended = Promise.allSettled(reads)
    await reading.stop()
    expect(await ended).toMatchObject([
      { reason: { code: 'SCRAPE_JOB_CANCELLED' } },
      { reason: { code: 'SCRAPE_JOB_CANCELLED' } },
    ])
  })
})
