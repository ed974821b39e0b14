import { afterEach, describe, expect, it } from 'vitest'
import { readPage } from '../../content/content.ts'
import { createSiteBlocks } from '../../content/main-content/site-blocks.ts'
import type { Page } from '../../content/page.ts'
import { JsonText } from '../../platform/json/json.ts'
import { silentLog } from '../../platform/log.ts'
import { buildParts, type PartRequests } from '../page-parts/parts.ts'
import { createPageReader, type PageReader } from './page-reader.ts'

let reader: PageReader | undefined
afterEach(() => reader?.stop())

function startReader(changes: object = {}): PageReader {
  const limits = {
    threads: 1,
    spare: 0,
    megabytes: 512,
    idleMs: 60_000,
    graceMs: 50,
    answerBytes: 64e6,
    ...changes,
  }
  reader = createPageReader(limits, silentLog)
  return reader
}

const defaultOptions = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }
const neverAborted = new AbortController().signal

function createPage(html: string, options: object = {}) {
  const page: Page = {
    requestedUrl: 'https://example.test/a',
    url: 'https://example.test/a',
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    bytes: Buffer.from(html),
    fetchedAt: 0,
  }
  const all = { ...defaultOptions, ...options }
  return { page, options: all, content: readPage(page, all) }
}

async function read(
  reading: PageReader,
  { page, options }: ReturnType<typeof createPage>,
  partRequests: PartRequests,
  { signal = neverAborted, team = 'a', isBackground = false } = {},
) {
  const request = {
    options,
    requestedParts: partRequests,
    classifyMode: 'none' as const,
    who: { team, isBackground },
  }
  const { parts, classification } = await reading.read(page, request, signal)
  if (!parts) throw new Error(`no parts: ${JSON.stringify(classification)}`)
  return parts
}

const story = (number: number) =>
  `<p>Story ${number} tells of a voyage to the harbour of town ${number}, of its people &amp; its ships, and of what became of them.</p>`
const article = (count: number) =>
  `<title>Stories</title><body><nav><a href="/home">Home</a></nav><article><h1>Stories</h1>${Array.from({ length: count }, (_, index) => story(index)).join('')}<img src="/i.png" alt="A ship"></article></body>`

const allParts: PartRequests = {
  ...({ metadata: true, markdown: true, html: true, rawHtml: true, links: true, images: true } as const),
  ...({ product: true, tracked: true, media: true, follow: true, siteLinks: true } as const),
  attributes: [{ selector: 'a', attribute: 'href' }],
}

describe('page read in a worker thread', () => {
  it('has the same parts as a page read on the main thread', async () => {
    const { page, options, content } = createPage(article(200))
    const parts = await read(startReader(), { page, options, content }, allParts)
    const builtParts = await buildParts(content, page.url, allParts)
    for (const [name, { value }] of Object.entries(builtParts)) {
      expect(parts[name as keyof typeof builtParts]()).toEqual(value)
    }
  })

  it('has its long parts as JSON text, serialized in the thread', async () => {
    const page = createPage(article(5000))
    const parts = await read(startReader(), page, { ...allParts, metadata: true })
    for (const name of ['markdown', 'html', 'rawHtml'] as const) {
      const part = parts[name]()
      expect(part).toBeInstanceOf(JsonText)
      expect(await (part as JsonText).value()).toBe(page.content[name]())
    }
    expect(Buffer.from(parts.tracked() as Uint8Array).toString()).toBe(page.content.markdown())
    expect(parts.metadata()).toEqual(page.content.metadata())
  })

  it('throws for a part that was not requested', async () => {
    const parts = await read(startReader(), createPage(article(200)), { metadata: true })
    expect(() => parts.markdown()).toThrow('"markdown"')
  })

  it('is classified in the thread, and not read if it is not good', async () => {
    const shell = createPage(`<div id="root"></div><script>${'x();'.repeat(5000)}</script>`)
    const request = {
      options: shell.options,
      requestedParts: allParts,
      classifyMode: 'read-if-good' as const,
      who: { team: 'a' },
    }
    const { classification, parts } = await startReader().read(shell.page, request, neverAborted)
    expect([classification?.kind, parts]).toEqual(['needs-browser', undefined])
  })

  it.each([
    ['read all the same where no better one will come', '', 'needs-browser: Shell'],
    [
      'not read where it leads to another',
      '<meta http-equiv="refresh" content="0; url=/b">',
      'needs-browser:',
    ],
  ])('is classified in the thread, and %s', async (_, head, expected) => {
    for (const size of [1, 5000]) {
      const code = `<script>${'x();'.repeat(size)}</script>`
      const shell = createPage(`<title>Shell</title>${head}<div id="root"></div>${code}`)
      const request = {
        options: shell.options,
        requestedParts: allParts,
        classifyMode: 'read-unless-redirect' as const,
        who: { team: 'a' },
      }
      const { classification, parts } = await startReader().read(shell.page, request, neverAborted)
      await reader?.stop()
      expect(`${classification?.kind}: ${parts?.metadata().title ?? ''}`.trim()).toBe(expected)
    }
  })

  it('reports the warnings of a part once it is read', async () => {
    const page = createPage(article(200), { includeTags: ['.nowhere'] })
    const parts = await read(startReader(), page, { metadata: true, markdown: true })
    parts.metadata()
    expect(parts.warnings()).toEqual([])
    parts.markdown()
    expect(parts.warnings()).toEqual(['No element of the page matches includeTags.'])
  })

  it.each([
    ['HTML', (): Page => createPage(article(5000)).page],
    ['text', (): Page => text('text/plain', '<'.repeat(2_000_000))],
    ['JSON', (): Page => text('application/json', JSON.stringify('a'.repeat(2_000_000)))],
  ])('does not block the event loop: %s', async (_, make) => {
    const page = make()
    let [turns, isRead] = [0, false]
    const turn = () => {
      turns += 1
      if (!isRead) setImmediate(turn)
    }
    turn()
    const request = {
      options: defaultOptions,
      requestedParts: allParts,
      classifyMode: 'read-if-good' as const,
      who: { team: 'a' },
    }
    await startReader().read(page, request, neverAborted)
    isRead = true
    // Two turns would only be those before and after the read.
    expect(turns).toBeGreaterThan(20)
  })

  it('waits for a free thread', async () => {
    const reading = startReader()
    const pages = [200, 300, 400].map((count) => createPage(article(count)))
    const parts = await Promise.all(pages.map((page) => read(reading, page, { markdown: true })))
    expect(parts.map((part) => part.markdown())).toEqual(pages.map(({ content }) => content.markdown()))
  })

  it('is read before further pages of a team that sent many, and before background pages', async () => {
    const reading = startReader()
    const order: string[] = []
    const readFor = (team: string, isBackground: boolean, name: string) =>
      read(reading, createPage(article(300)), { markdown: true }, { team, isBackground }).then(() =>
        order.push(name),
      )
    await Promise.all([
      ...['a1', 'a2', 'a3', 'a4'].map((name) => readFor('a', false, name)),
      readFor('b', true, 'b, in the background'),
      readFor('b', false, 'b'),
    ])
    expect(order.indexOf('b')).toBeLessThan(3)
    expect(order.indexOf('b')).toBeLessThan(order.indexOf('b, in the background'))
  })

  it('gets a spare thread if its team holds none', async () => {
    const reading = startReader({ spare: 1 })
    const callerGone = new AbortController()
    const endless = read(reading, createPage(expensiveHtml), allParts, {
      team: 'a',
      signal: callerGone.signal,
    }).catch(() => 'gone')
    const waiting = read(reading, createPage(expensiveHtml), allParts, {
      team: 'a',
      signal: callerGone.signal,
    }).catch(() => 'gone')
    await read(reading, createPage(article(200)), { markdown: true }, { team: 'b' })
    callerGone.abort()
    expect(await Promise.all([endless, waiting])).toEqual(['gone', 'gone'])
  })

  it('adds its texts to those of the site', async () => {
    const reading = startReader({ threads: 2 })
    const site = createSiteBlocks()
    const notice =
      '<p>Please remember that our office moves in spring, and that letters go to the new address.</p>'
    const sitePage = (number: number) =>
      createPage(article(120).replaceAll('Story', `Story ${number} of`).replace('<p>', `${notice}<p>`), {
        site,
      })
    const first = await read(reading, sitePage(0), { markdown: true })
    expect(first.markdown()).toContain('letters go to the new address')
    for (let number = 1; number < 8; number += 1) await read(reading, sitePage(number), { markdown: true })
    const last = await read(reading, sitePage(9), { markdown: true })
    expect(site.pages).toBe(9)
    expect(last.markdown()).not.toContain('letters go to the new address')
    expect(last.markdown()).toContain('Story 9 of 7 tells')
  })
})

function text(contentType: string, body: string): Page {
  return { ...createPage('').page, headers: { 'content-type': contentType }, bytes: Buffer.from(body) }
}

/** Texts with character references are stored separately. */
const expensiveHtml = `<p>${'a&amp;b<b>c</b>'.repeat(300_000)}</p>`

describe('two versions of a page', () => {
  const lines = (count: number, word: string) =>
    Array.from({ length: count }, (_, index) => `${word} ${index}`).join('\n')

  it.each([2, 3000])('are compared on the main thread or in a worker thread: %i lines', async (count) => {
    const reading = startReader()
    const compare = (previous: string, current: string) =>
      reading.compare(
        { previous: Buffer.from(previous), current, showsDifference: true },
        { team: 'a' },
        neverAborted,
      )
    expect(await compare(lines(count, 'a'), `${lines(count, 'a')}\n`)).toEqual({ isSame: true })
    const { isSame, difference } = await compare(lines(count, 'a'), lines(count, 'b'))
    expect(isSame).toBe(false)
    const diffText = difference?.text instanceof JsonText ? await difference.text.value() : difference?.text
    expect(diffText).toContain('-a 1')
  })
})

describe('page that cannot be read', () => {
  it('does not affect other pages if it takes too much memory', async () => {
    const reading = startReader({ megabytes: 20 })
    const reads = [
      read(reading, createPage(expensiveHtml), { markdown: true }),
      read(reading, createPage(article(200)), allParts),
    ]
    const [failed, other] = await Promise.allSettled(reads)
    expect(failed).toMatchObject({ status: 'rejected', reason: { code: 'SCRAPE_PAGE_TOO_LARGE' } })
    expect(other?.status).toBe('fulfilled')
  })

  it('is rejected with the name of the bound if its parts are too large', async () => {
    const failed = read(startReader({ answerBytes: 2 ** 20 }), createPage(article(5000)), allParts)
    await expect(failed).rejects.toMatchObject({
      code: 'SCRAPE_PAGE_TOO_LARGE',
      detail: { bound: 'MAX_ANSWER_MB', most: 1 },
    })
  })

  it('is abandoned with its thread if its caller has gone', async () => {
    const reading = startReader()
    const callerGone = new AbortController()
    const abandoned = read(reading, createPage(expensiveHtml), allParts, { signal: callerGone.signal })
    const queuedCaller = new AbortController()
    const waiting = read(reading, createPage(article(200)), allParts, { signal: queuedCaller.signal })
    // Wait until reading has begun.
    await new Promise((resolve) => setTimeout(resolve, 20))
    callerGone.abort(new Error('the caller has gone'))
    queuedCaller.abort(new Error('this one too'))
    // Await both together: the second rejects immediately, the first when its thread has ended.
    await Promise.all([
      expect(abandoned).rejects.toThrow('the caller has gone'),
      expect(waiting).rejects.toThrow('this one too'),
    ])
    const parts = await read(reading, createPage(article(200)), { markdown: true })
    expect(parts.markdown()).toContain('Story 7')
  })

  it('is cancelled by a stop', async () => {
    const reading = startReader()
    const reads = [
      read(reading, createPage(expensiveHtml), allParts),
      read(reading, createPage(article(200)), allParts),
    ]
    const ended = Promise.allSettled(reads)
    await reading.stop()
    expect(await ended).toMatchObject([
      { reason: { code: 'SCRAPE_JOB_CANCELLED' } },
      { reason: { code: 'SCRAPE_JOB_CANCELLED' } },
    ])
  })
})
