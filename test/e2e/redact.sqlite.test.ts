import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Json, scrape } from '../api.ts'
import { finished, start } from '../crawls.ts'
import { pdf } from '../documents/pdf.ts'
import { post } from '../documents/post.ts'
import { sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

let phone = '+49 30 1234567'
const page = () => `<html><head><title>Keepers</title></head><body><main><article><h1>Keepers</h1>
  <p>The keeper of the northern lamp can be written to at <a href="mailto:keeper@lamps.example">keeper@lamps.example</a>, and he
  answers every letter that he gets before the first ships of the spring arrive.</p>
  <h2 id="pay">How to pay</h2>
  <p>Oil is paid for to the account DE89 3704 0044 0532 0130 00 or by the card 4111 1111 1111 1111, and the office can be called
  under ${phone} on every day on which the lamp was lit in the night before.</p>
  </article></main></body></html>`

let site: Site
beforeAll(async () => {
  site = await startSite({ routes: { '/keepers/:name': (exchange) => sendHtml(exchange, page()) } })
})
afterAll(() => site.stop())

const secrets = ['keeper@lamps.example', '0532', '4111', '1234567']
const data = async (name: string, options: object): Promise<Json> => {
  const { body } = await scrape({ url: `${site.url}/keepers/${name}`, maxAge: 0, ...options })
  expect(body.error).toBeUndefined()
  return body.data
}

describe('redactPII', () => {
  it('removes personal data from the Markdown, and warns about unredacted data', async () => {
    const { markdown, warning, metadata } = await data('a', { redactPII: true })
    expect(markdown).toContain('[<EMAIL>](mailto:<EMAIL>)')
    expect(markdown).toContain('account <FINANCIAL> or by the card <FINANCIAL>')
    expect(markdown).toContain('under <PHONE> on every day')
    for (const secret of secrets) expect(markdown).not.toContain(secret)
    expect(warning).toContain('names of people and places are not redacted')
    expect(warning).not.toContain('not on:')
    expect(metadata.creditsUsed).toBe(5)
  })

  it('redacts the requested entities in the requested style', async () => {
    const redactPII = { entities: ['EMAIL'], replaceStyle: 'mask', mode: 'fast' }
    const { markdown, html, warning } = await data('b', { formats: ['markdown', 'html'], redactPII })
    expect(markdown).toContain(`[${'█'.repeat(20)}](mailto:${'█'.repeat(20)})`)
    expect(markdown).toContain('DE89 3704')
    expect(html).toContain('keeper@lamps.example')
    expect(warning).toContain('not on: html')
    expect(warning).not.toContain('names of people')
    const removed = await data('b', { redactPII: { replaceStyle: 'remove' } })
    expect(removed.markdown).toContain('under on every day')
  })

  it('is not applied if it is false', async () => {
    const { markdown, warning, metadata } = await data('c', { redactPII: false })
    expect(markdown).toContain('keeper@lamps.example')
    expect([warning, metadata.creditsUsed]).toEqual([undefined, 1])
  })

  it('is applied to the differences of change tracking', async () => {
    const formats = ['markdown', { type: 'changeTracking', modes: ['git-diff'] }]
    await data('d', { formats })
    const first = await data('d', { formats, redactPII: true })
    expect(first.changeTracking.changeStatus).toBe('new')
    phone = 'no number'
    const second = await data('d', { formats, redactPII: true })
    phone = '+49 30 1234567'
    expect(second.changeTracking.changeStatus).toBe('changed')
    expect(second.changeTracking.diff).toContain('<PHONE>')
    for (const secret of secrets) expect(JSON.stringify(second)).not.toContain(secret)
  })

  it('is applied to files, their pages and their blocks', async () => {
    const lines = [
      { text: 'Keepers', y: 80, size: 20 },
      { text: 'Write to keeper@lamps.example or call +49 30 1234567.', y: 120 },
    ]
    const file = pdf([{ lines }, { lines }])
    const parsers = [{ type: 'pdf', pages: true, blocks: true }]
    const { body } = await post(file, { name: 'keepers.pdf', options: { redactPII: true, parsers } })
    const { markdown, pages, blocks, metadata } = body.data
    expect(markdown).toContain('Write to <EMAIL> or call <PHONE>.')
    expect(JSON.stringify([markdown, pages, blocks])).not.toMatch(/keeper@|1234567/)
    for (const [index, { items }] of blocks.entries()) {
      for (const {
        content,
        markdownSpan: [from, to],
      } of items) {
        expect(pages[index].markdown.slice(from, to)).toContain(content)
      }
    }
    expect(metadata.creditsUsed).toBe(2 + 2 * 4)
    const text = await post('Mail a@b.example', { name: 'a.txt', options: { redactPII: true } })
    expect(text.body.data.markdown).toBe('Mail <EMAIL>')
    const raw = await post(file, { name: 'keepers.pdf', options: { redactPII: true, parsers: [] } })
    expect(raw.body.data.warning).toContain('not parsed')
  })

  it('is applied to the pages of a crawl', async () => {
    const scrapeOptions = { redactPII: { replaceStyle: 'tag' }, maxAge: 0 }
    const { id } = await start({ url: `${site.url}/keepers/e`, limit: 1, scrapeOptions })
    const { data: documents } = await finished(id)
    expect(documents[0].markdown).toContain('<EMAIL>')
    for (const secret of secrets) expect(documents[0].markdown).not.toContain(secret)
  })
})
