import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Json, scrape } from '../api.ts'
import { finished, start } from '../crawls.ts'
import { docx } from '../documents/office.ts'
import { post } from '../documents/post.ts'
import { sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

const sentence = (tower: number) =>
  `The lamp of tower ${tower} burned until dawn, and nobody came to see whether it needed oil.`
const text = (from: number) => [0, 1, 2, 3].map((tower) => `<p>${sentence(from + tower)}</p>`).join('')
const rows = Array.from({ length: 30 }, (_, tower) => `<tr><td>${tower}</td><td>${sentence(tower)}</td></tr>`)

const page = (name: string) => `<html><head><title>${name}</title></head><body><main><article>
  <h1>${name}</h1>${text(0)}
  <section id="oil"><h2>Oil lamps</h2>${text(10)}<h3>Wicks</h3>${text(20)}</section>
  <h2 id="gas">Gas lamps</h2>${text(30)}
  <table><tr><th>Tower</th><th>What was seen</th></tr>${rows.join('')}</table>
  </article></main></body></html>`

let site: Site
beforeAll(async () => {
  site = await startSite({
    routes: {
      '/lamps': (exchange) => sendHtml(exchange, page('Lamps')),
      '/towers/': (exchange) =>
        sendHtml(exchange, page('Towers').replace('</main>', '<a href="a">A</a></main>')),
      '/towers/a': (exchange) => sendHtml(exchange, page('Tower A')),
    },
  })
})
afterAll(() => site.stop())

const format = { type: 'chunks', size: 128 }

function expectPieces({ markdown, chunks, metadata }: Json): void {
  let at = 0
  for (const { start, end, text, overlap = 0 } of chunks) {
    expect(markdown.slice(start, end)).toBe(text)
    expect(markdown.slice(at, start + overlap).trim()).toBe('')
    at = end
  }
  expect(markdown.slice(at).trim()).toBe('')
  if (chunks.some((chunk: Json) => chunk.overlap > 0)) return
  const sum = chunks.reduce((tokens: number, chunk: Json) => tokens + chunk.tokens, 0)
  expect(metadata.tokens).toBeGreaterThanOrEqual(sum - chunks.length)
  expect(metadata.tokens).toBeLessThanOrEqual(sum + 2 * chunks.length)
}

describe('chunks', () => {
  it('are the Markdown in pieces, each with its headings, its place and its tokens', async () => {
    const { body } = await scrape({ url: `${site.url}/lamps`, formats: ['markdown', format] })
    expectPieces(body.data)
    const { chunks } = body.data
    expect(chunks.map((chunk: Json) => [chunk.headings.join(' > '), chunk.anchor, chunk.oversize])).toEqual([
      ['Lamps', undefined, undefined],
      ['Lamps > Oil lamps', 'oil', undefined],
      ['Lamps > Oil lamps > Wicks', 'oil', undefined],
      ['Lamps > Gas lamps', 'gas', undefined],
      ['Lamps > Gas lamps', 'gas', true],
    ])
    expect(chunks[4].text).toMatch(/^\| Tower \| What was seen \|.*\|$/s)
    for (const { tokens, oversize } of chunks) if (!oversize) expect(tokens).toBeLessThanOrEqual(128)
  })

  it('repeat the end of the chunk before, and come from the cache as they came from the site', async () => {
    const formats = ['markdown', { ...format, size: 64, overlap: 30 }]
    const fresh = await scrape({ url: `${site.url}/lamps`, formats, maxAge: 0 })
    const kept = await scrape({ url: `${site.url}/lamps`, formats })
    expect(kept.body.data.metadata.cacheState).toBe('hit')
    expect(kept.body.data.chunks).toEqual(fresh.body.data.chunks)
    expectPieces(fresh.body.data)
    expect(fresh.body.data.chunks.filter((chunk: Json) => chunk.overlap > 0).length).toBeGreaterThan(2)
  })

  it('need no Markdown beside them, and tokens are counted for nobody else', async () => {
    const alone = await scrape({ url: `${site.url}/lamps`, formats: ['chunks'] })
    expect(alone.body.data.markdown).toBeUndefined()
    expect(alone.body.data.chunks.length).toBeGreaterThan(1)
    const plain = await scrape({ url: `${site.url}/lamps` })
    expect(plain.body.data.metadata.tokens).toBeUndefined()
  })

  it.each([
    [{ size: 10 }, 'size'],
    [{ size: 10_000 }, 'size'],
    [{ size: 100, overlap: 60 }, 'overlap'],
    [{ overlap: -1 }, 'overlap'],
  ])('refuse %j', async (options, name) => {
    const { status, body } = await scrape({
      url: `${site.url}/lamps`,
      formats: [{ type: 'chunks', ...options }],
    })
    expect(status).toBe(400)
    expect(JSON.stringify(body)).toContain(name)
  })

  it('are made of files', async () => {
    const written = await post(docx(), { name: 'a.docx', options: { formats: ['markdown', format] } })
    expectPieces(written.body.data)
    expect(written.body.data.chunks[0].headings).toEqual(['The lighthouse'])
    const long = `# Log\n\n${Array.from({ length: 40 }, (_, night) => sentence(night)).join(' ')}\n`
    const plain = await post(long, { name: 'log.md', options: { formats: ['markdown', format] } })
    expectPieces(plain.body.data)
    expect(plain.body.data.chunks.length).toBeGreaterThan(4)
    for (const { headings } of plain.body.data.chunks) expect(headings).toEqual(['Log'])
  })

  it('are made of the pages of a crawl', async () => {
    const scrapeOptions = { formats: ['markdown', format], maxAge: 0 }
    const { id } = await start({ url: `${site.url}/towers/`, limit: 2, scrapeOptions })
    const { data } = await finished(id)
    expect(data.map((document: Json) => document.chunks[0].headings[0]).sort()).toEqual(['Tower A', 'Towers'])
    for (const document of data) expectPieces(document)
  })
})
