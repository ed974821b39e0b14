import { afterEach, describe, expect, it } from 'vitest'
import { readPage } from '../../content/content.ts'
import { noSiteBlocks } from '../../content/main-content/site-blocks.ts'
import type { Page } from '../../content/page.ts'
import { JsonText } from '../../platform/json/json.ts'
import { silentLog } from '../../platform/log.ts'
import { buildParts, type PartRequests } from '../page-parts/parts.ts'
import { createPageReader, type PageReader } from './page-reader.ts'

let reader: PageReader | undefined
afterEach(() => reader?.stop())

function start(changes: object = {}): PageReader {
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

async function read(
  reading: PageReader,
  { page, options }: ReturnType<typeof known>,
  wishes: PartRequests,
  { signal = alive, team = 'a', isBackground = false } = {},
) {
  const request = { options, wishes, judging: 'none' as const, who: { team, isBackground } }
  const { parts, judgement } = await reading.read(page, request, signal)
  if (!parts) throw new Error(`no parts: ${JSON.stringify(judgement)}`)
  return parts
}

const story = (number: number) =>
  `<p>Story ${number} tells of a voyage to the harbour of town ${number}, of its people &amp; its ships, and of what became of them.</p>`
const article = (count: number) =>
  `<title>Stories</title><body><nav><a href="/home">Home</a></nav><article><h1>Stories</h1>${Array.from({ length: count }, (_, index) => story(index)).join('')}<img src="/i.png" alt="A ship"></article></body>`

const all: PartRequests = {
  ...({ metadata: true, markdown: true, html: true, rawHtml: true, links: true, images: true } as const),
  ...({ product: true, tracked: true, media: true, follow: true, siteLinks: true } as const),
  attributes: [{ selector: 'a', attribute: 'href' }],
}

describe('a page read in another thread', () => {
  it('is what it is when read here', async () => {
    const { page, options, content } = known(article(200))
    const parts = await read(start(), { page, options, content }, all)
    const made = await buildParts(content, page.url, all)
    for (const [name, { value }] of Object.entries(made)) {
      expect(parts[name as keyof typeof made]()).toEqual(value)
    }
  })

  it('has its long parts as JSON, written there', async () => {
    const page = known(article(5000))
    const parts = await read(start(), page, { ...all, metadata: true })
    for (const name of ['markdown', 'html', 'rawHtml'] as const) {
      const part = parts[name]()
      expect(part).toBeInstanceOf(JsonText)
      expect(await (part as JsonText).value()).toBe(page.content[name]())
    }
    expect(Buffer.from(parts.tracked() as Uint8Array).toString()).toBe(page.content.markdown())
    expect(parts.metadata()).toEqual(page.content.metadata())
  })

  it('has no part that nobody wished for', async () => {
    const parts = await read(start(), known(article(200)), { metadata: true })
    expect(() => parts.markdown()).toThrow('"markdown"')
  })

  it('is judged there, and not read where it is not good', async () => {
    const shell = known(`<div id="root"></div><script>${'x();'.repeat(5000)}</script>`)
    const request = { options: shell.options, wishes: all, judging: 'first' as const, who: { team: 'a' } }
    const { judgement, parts } = await start().read(shell.page, request, alive)
    expect([judgement?.kind, parts]).toEqual(['needs-browser', undefined])
  })

  it.each([
    ['read all the same where no better one will come', '', 'needs-browser: Shell'],
    [
      'not read where it leads to another',
      '<meta http-equiv="refresh" content="0; url=/b">',
      'needs-browser:',
    ],
  ])('is judged there, and %s', async (_, head, expected) => {
    for (const size of [1, 5000]) {
      const code = `<script>${'x();'.repeat(size)}</script>`
      const shell = known(`<title>Shell</title>${head}<div id="root"></div>${code}`)
      const request = { options: shell.options, wishes: all, judging: 'beside' as const, who: { team: 'a' } }
      const { judgement, parts } = await start().read(shell.page, request, alive)
      await reader?.stop()
      expect(`${judgement?.kind}: ${parts?.metadata().title ?? ''}`.trim()).toBe(expected)
    }
  })

  it('warns of a part when that is asked for', async () => {
    const page = known(article(200), { includeTags: ['.nowhere'] })
    const parts = await read(start(), page, { metadata: true, markdown: true })
    parts.metadata()
    expect(parts.warnings()).toEqual([])
    parts.markdown()
    expect(parts.warnings()).toEqual(['No element of the page matches includeTags.'])
  })

  it.each([
    ['HTML', (): Page => known(article(5000)).page],
    ['text', (): Page => text('text/plain', '<'.repeat(2_000_000))],
    ['JSON', (): Page => text('application/json', JSON.stringify('a'.repeat(2_000_000)))],
  ])('lets the loop of this thread turn meanwhile: %s', async (_, make) => {
    const page = make()
    let [turns, isRead] = [0, false]
    const turn = () => {
      turns += 1
      if (!isRead) setImmediate(turn)
    }
    turn()
    const request = { options: usual, wishes: all, judging: 'first' as const, who: { team: 'a' } }
    await start().read(page, request, alive)
    isRead = true
    // Two would be one for each way.
    expect(turns).toBeGreaterThan(20)
  })

  it('waits for its turn', async () => {
    const reading = start()
    const pages = [200, 300, 400].map((count) => known(article(count)))
    const parts = await Promise.all(pages.map((page) => read(reading, page, { markdown: true })))
    expect(parts.map((part) => part.markdown())).toEqual(pages.map(({ content }) => content.markdown()))
  })

  it('comes before the further pages of a team that sent many, and before those nobody waits for', async () => {
    const reading = start()
    const order: string[] = []
    const one = (team: string, isBackground: boolean, name: string) =>
      read(reading, known(article(300)), { markdown: true }, { team, isBackground }).then(() =>
        order.push(name),
      )
    await Promise.all([
      ...['a1', 'a2', 'a3', 'a4'].map((name) => one('a', false, name)),
      one('b', true, 'b, in the background'),
      one('b', false, 'b'),
    ])
    expect(order.indexOf('b')).toBeLessThan(3)
    expect(order.indexOf('b')).toBeLessThan(order.indexOf('b, in the background'))
  })

  it('has a thread of its own where its team holds none', async () => {
    const reading = start({ spare: 1 })
    const gone = new AbortController()
    const endless = read(reading, known(swollen), all, { team: 'a', signal: gone.signal }).catch(() => 'gone')
    const waiting = read(reading, known(swollen), all, { team: 'a', signal: gone.signal }).catch(() => 'gone')
    await read(reading, known(article(200)), { markdown: true }, { team: 'b' })
    gone.abort()
    expect(await Promise.all([endless, waiting])).toEqual(['gone', 'gone'])
  })

  it('adds its texts to those of the site', async () => {
    const reading = start({ threads: 2 })
    const site = noSiteBlocks()
    const notice =
      '<p>Please remember that our office moves in spring, and that letters go to the new address.</p>'
    const ofSite = (number: number) =>
      known(article(120).replaceAll('Story', `Story ${number} of`).replace('<p>', `${notice}<p>`), { site })
    const first = await read(reading, ofSite(0), { markdown: true })
    expect(first.markdown()).toContain('letters go to the new address')
    for (let number = 1; number < 8; number += 1) await read(reading, ofSite(number), { markdown: true })
    const last = await read(reading, ofSite(9), { markdown: true })
    expect(site.pages).toBe(9)
    expect(last.markdown()).not.toContain('letters go to the new address')
    expect(last.markdown()).toContain('Story 9 of 7 tells')
  })
})

function text(contentType: string, body: string): Page {
  return { ...known('').page, headers: { 'content-type': contentType }, bytes: Buffer.from(body) }
}

/** Texts with references are kept one by one. */
const swollen = `<p>${'a&amp;b<b>c</b>'.repeat(300_000)}</p>`

describe('two versions of a page', () => {
  const lines = (count: number, word: string) =>
    Array.from({ length: count }, (_, index) => `${word} ${index}`).join('\n')

  it.each([2, 3000])('are compared, here or in another thread: %i lines', async (count) => {
    const reading = start()
    const compare = (previous: string, current: string) =>
      reading.compare(
        { previous: Buffer.from(previous), current, showsDifference: true },
        { team: 'a' },
        alive,
      )
    expect(await compare(lines(count, 'a'), `${lines(count, 'a')}\n`)).toEqual({ isSame: true })
    const { isSame, difference } = await compare(lines(count, 'a'), lines(count, 'b'))
    expect(isSame).toBe(false)
    const shown = difference?.text instanceof JsonText ? await difference.text.value() : difference?.text
    expect(shown).toContain('-a 1')
  })
})

describe('a page that cannot be read', () => {
  it('fails alone when it takes too much memory', async () => {
    const reading = start({ megabytes: 20 })
    const reads = [read(reading, known(swollen), { markdown: true }), read(reading, known(article(200)), all)]
    const [failed, other] = await Promise.allSettled(reads)
    expect(failed).toMatchObject({ status: 'rejected', reason: { code: 'SCRAPE_PAGE_TOO_LARGE' } })
    expect(other?.status).toBe('fulfilled')
  })

  it('is refused by the name of the bound when what was made of it is too long', async () => {
    const failed = read(start({ answerBytes: 2 ** 20 }), known(article(5000)), all)
    await expect(failed).rejects.toMatchObject({
      code: 'SCRAPE_PAGE_TOO_LARGE',
      detail: { bound: 'MAX_ANSWER_MB', most: 1 },
    })
  })

  it('is given up when nobody waits for it any more, and its thread with it', async () => {
    const reading = start()
    const gone = new AbortController()
    const given = read(reading, known(swollen), all, { signal: gone.signal })
    const behind = new AbortController()
    const waiting = read(reading, known(article(200)), all, { signal: behind.signal })
    // Its turn has to have begun.
    await new Promise((resolve) => setTimeout(resolve, 20))
    gone.abort(new Error('the caller has gone'))
    behind.abort(new Error('this one too'))
    // Together: the second rejects at once, the first when its thread has ended.
    await Promise.all([
      expect(given).rejects.toThrow('the caller has gone'),
      expect(waiting).rejects.toThrow('this one too'),
    ])
    const parts = await read(reading, known(article(200)), { markdown: true })
    expect(parts.markdown()).toContain('Story 7')
  })

  it('is cancelled by a stop', async () => {
    const reading = start()
    const reads = [read(reading, known(swollen), all), read(reading, known(article(200)), all)]
    const ended = Promise.allSettled(reads)
    await reading.stop()
    expect(await ended).toMatchObject([
      { reason: { code: 'SCRAPE_JOB_CANCELLED' } },
      { reason: { code: 'SCRAPE_JOB_CANCELLED' } },
    ])
  })
})
