import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, scrape, startOwnService } from '../api.ts'
import { lamps, post } from '../documents/post.ts'
import { sentenceModelFolder } from '../sentence-model.ts'
import { until } from '../servers/until.ts'
import { temporaryFolder } from '../service.ts'
import { send, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

const buildPage = (lang: string, title: string, content: string) =>
  `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>${title}</title></head>
<body><nav><a href="/">Home</a></nav><main><h1>${title}</h1>${content}</main><footer>Imprint</footer></body></html>`

const english = buildPage(
  'en',
  'The harbour of Nes',
  `<p>The harbour of Nes is the oldest harbour of the island. Ferries reach the harbour from the mainland in 50 minutes.</p>
<p>Dr. Visser rebuilt the east pier in 1972. The tide turns at noon, and moorings fall dry for two hours.</p>
<h2>Fees</h2><table><tr><th>Boat</th><th>Fee</th></tr><tr><td>Up to 8 m</td><td>€12</td></tr><tr><td>Up to 12 m</td><td>€19</td></tr></table>
<ul><li>Cards are taken at the office.</li><li>The office closes at six in winter.</li></ul>`,
)
const german = buildPage(
  'de',
  'Der Hafen von Nes',
  `<p>Der Hafen von Nes ist der älteste Hafen der Insel. Er wurde z. B. am 3. Oktober 1972 von Dr. Visser erneuert.</p>
<p>Die Fähren erreichen den Hafen in 50 Minuten. Im Winter schließt das Büro des Hafens um sechs.</p>`,
)
const japanese = buildPage(
  'ja',
  'ネスの港',
  '<p>ネスの港は島で最も古い港です。東の桟橋は1972年に再建されました。フェリーは本土から50分で港に着きます。事務所は六時に閉まります。</p>',
)
const listing = buildPage(
  'en',
  'Mugs',
  ['Blue', 'Red', 'Green']
    .map(
      (name, index) => `<article><h2><a href="/${index}">${name} mug</a></h2><p>€${index + 11}</p></article>`,
    )
    .join(''),
)

let site: Site
beforeAll(async () => {
  site = await startSite({
    routes: {
      '/english': (exchange) => sendHtml(exchange, english),
      '/german': (exchange) => sendHtml(exchange, german),
      '/japanese': (exchange) => sendHtml(exchange, japanese),
      '/listing': (exchange) => sendHtml(exchange, listing),
      '/empty': (exchange) => sendHtml(exchange, '<!doctype html><title></title>'),
      '/report.pdf': ({ response }) => send(response, { 'content-type': 'application/pdf' }, lamps),
    },
  })
})
afterAll(() => site.stop())

const read = async (path: string, formats: unknown[], options: object = {}) => {
  const { status, body } = await scrape({ url: `${site.url}${path}`, formats, fastMode: true, ...options })
  expect([status, body.error]).toEqual([200, undefined])
  return body.data
}

describe('highlights', () => {
  it('returns verbatim passages of the page for four more credits', async () => {
    const { highlights, warning, metadata } = await read('/english', [
      { type: 'highlights', query: 'When do the moorings fall dry?' },
    ])
    expect(highlights.split('\n\n')[0]).toBe('The tide turns at noon, and moorings fall dry for two hours.')
    expect(warning).toContain('highlights: extractive.')
    expect(metadata.creditsUsed).toBe(5)
  })

  it.each([
    ['of a table', '/english', 'What is the fee for a boat of up to 12 m?', 'Up to 12 m; Fee: €19'],
    ['in German', '/german', 'Wann wurde der Hafen erneuert?', 'am 3. Oktober 1972 von Dr. Visser erneuert.'],
    ['in Japanese', '/japanese', '桟橋の再建', '東の桟橋は1972年に再建されました。'],
    ['of a list of things', '/listing', 'price of the red mug', '€12'],
    ['of a PDF', '/report.pdf', 'When was the lamp lit?', 'The lamp was lit at dusk.'],
  ])('are found %s', async (_, path, query, passage) => {
    const { highlights } = await read(path, [{ type: 'highlights', query }])
    expect(highlights).toContain(passage)
  })
})

describe('an answer', () => {
  it('returns a short answer if it is certain, and quotes the page', async () => {
    const { answer, warning, metadata } = await read('/english', [
      { type: 'question', question: 'When did Visser rebuild the east pier?' },
    ])
    expect(answer).toMatch(/^1972\n\n> Dr\. Visser rebuilt the east pier in 1972\./)
    expect(warning).toContain('no language model is configured')
    expect(metadata.creditsUsed).toBe(5)
  })

  it('in German contains the date', async () => {
    const question = 'Wann wurde der Hafen von Visser erneuert?'
    expect((await read('/german', [{ type: 'question', question }])).answer).toMatch(
      /^3\. Oktober 1972\n\n> Er wurde/,
    )
  })

  it('is omitted, named and not charged if nothing matches', async () => {
    const data = await read('/english', [
      'markdown',
      { type: 'question', question: 'Who flew the aeroplane?' },
    ])
    expect(data.answer).toBeUndefined()
    expect(data.warning).toContain('answer: no passage of the page matches the query.')
    expect(data.metadata.creditsUsed).toBe(1)
  })

  it('accepts the older name of the format', async () => {
    const format = { type: 'query', prompt: 'Who rebuilt the east pier?' }
    expect((await read('/english', [format])).answer).toContain('Dr. Visser')
    const quoted = await read('/english', [{ ...format, mode: 'directQuote' }])
    expect(quoted.highlights).toMatch(/^Dr\. Visser/)
    expect(quoted.answer).toBeUndefined()
  })
})

describe('a summary', () => {
  it.each([
    ['/english', 'The harbour of Nes is the oldest harbour of the island.'],
    ['/german', 'Der Hafen von Nes ist der älteste Hafen der Insel.'],
    ['/japanese', 'ネスの港は島で最も古い港です。'],
    ['/listing', 'Mugs\nBlue mug\nRed mug\nGreen mug'],
    ['/report.pdf', 'The lamp was lit at dusk.'],
  ])('of %s quotes the page, at no extra price', async (path, sentence) => {
    const { summary, warning, metadata } = await read(path, ['summary'])
    expect(summary).toContain(sentence)
    expect(warning).toContain('summary: extractive.')
    expect(metadata.creditsUsed).toBe(path.endsWith('.pdf') ? 3 : 1)
  })

  it('of an empty page is omitted, and the warning names it', async () => {
    const { summary, warning } = await read('/empty', ['summary', { type: 'highlights', query: 'tide' }])
    expect(summary).toBeUndefined()
    expect(warning).toContain('summary: the page has no text.')
    expect(warning).toContain('highlights: the page has no text.')
  })
})

describe('formats with passages', () => {
  it('read the selected part of the page', async () => {
    const formats = [
      'summary',
      { type: 'question', question: 'Imprint?' },
      { type: 'highlights', query: 'tide' },
    ]
    const main = await read('/english', formats)
    expect(main.warning).toContain('answer: no passage')
    const fullPage = await read('/english', formats, { onlyMainContent: false })
    expect(fullPage.answer).toContain('> Imprint')
  })

  it('are available for uploaded files, at the same price', async () => {
    const formats = ['summary', { type: 'question', question: 'When was the lamp lit?' }]
    const { body } = await post(lamps, { name: 'report.pdf', options: { formats } })
    expect(body.data.answer).toContain('> The lamp was lit at dusk.')
    expect(body.data.metadata.creditsUsed).toBe(7)
  })

  it('are available for batches', async () => {
    const formats = [{ type: 'highlights', query: 'tide' }]
    const body = { urls: [`${site.url}/english`], formats, fastMode: true }
    const { body: started } = await call('POST', '/v2/batch/scrape', { body })
    const done = await until('the end of the batch', 30_000, async () => {
      const { body: batch } = await call('GET', `/v2/batch/scrape/${started.id}`)
      return batch.status === 'completed' ? batch : undefined
    })
    expect(done.data[0].highlights).toContain('The tide turns at noon')
    expect(done.creditsUsed).toBe(5)
  })

  it.each([
    ['question', { type: 'question' }],
    ['question', { type: 'question', question: '' }],
    ['query', { type: 'highlights', query: 'x'.repeat(10_001) }],
    ['mode', { type: 'query', prompt: 'x', mode: 'other' }],
    ['summary', { type: 'summary', length: 3 }],
  ])('with wrong options return 400: %s', async (_, format) => {
    const { status, body } = await scrape({ url: `${site.url}/english`, formats: [format] })
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
  })
})

describe.skipIf(sentenceModelFolder === undefined)('with the sentence model', () => {
  it('a passage is found by its meaning', async () => {
    const home = temporaryFolder()
    const environment = { HOME: home.path, XDG_CACHE_HOME: join(home.path, 'cache') }
    const own = await startOwnService({ ...environment, SEARCH_SENTENCE_MODEL: sentenceModelFolder ?? '' })
    try {
      const formats = [{ type: 'highlights', query: 'How long does the boat trip take?' }]
      const body = { url: `${site.url}/english`, formats, fastMode: true }
      // Each call waits a few seconds for the model. On a busy machine, the first calls may end before it is loaded.
      const data = await until('sentences compared by the model', 50_000, async () => {
        const { body: answer } = await own.call('POST', '/v2/scrape', { body })
        return answer.data.highlights === undefined ? undefined : answer.data
      })
      expect(data.highlights).toContain('from the mainland in 50 minutes.')
      expect(data.warning).toContain('similar meaning')
      // The library stores a machine id in this folder by default, and reports it to its vendor.
      const storedFiles = readdirSync(home.path, { recursive: true }).map(String)
      expect(storedFiles.filter((path) => /onnx|microsoft/i.test(path))).toEqual([])
    } finally {
      await own.stop()
      await own.remove()
      home.remove()
    }
  })
})
