import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, type Json } from '../api.ts'
import { finished, start } from '../crawls.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.stop())

const notice = 'Please remember that our office moves in spring'

async function markdownOfStories(formats: unknown[], options: Json = {}): Promise<string[]> {
  const { id } = await start({
    url: `${site.url}/stories`,
    ...options,
    scrapeOptions: { maxAge: 0, formats },
  })
  const { data } = await finished(id)
  const isStory = ({ metadata }: Json) => /\/stories\/\d+$/.test(metadata.url)
  return data.filter(isStory).map(({ markdown }: Json) => markdown)
}

describe('a text on every page of a site', () => {
  it('stays on each page, so that the Markdown equals that of a single scrape', async () => {
    const { id } = await start({ url: `${site.url}/stories`, scrapeOptions: { maxAge: 0 } })
    const { data } = await finished(id)
    for (const { markdown, metadata } of data) {
      const single = await call('POST', '/v2/scrape', { body: { url: metadata.url, maxAge: 0 } })
      expect(markdown).toBe(single.body.data.markdown)
    }
  })

  it('is removed from most pages if the crawl requests it, except headings', async () => {
    const pages = await markdownOfStories(['markdown'], { removeRepeatedContent: true })
    expect(pages).toHaveLength(30)
    // Each process that reads pages of the crawl removes the text only after it has seen it on four pages.
    expect(pages.filter((markdown) => markdown.includes(notice)).length).toBeLessThanOrEqual(8)
    // Each story has three paragraphs of its own, about the towns 1a, 1b and 1c in the first story.
    for (const suffix of ['a', 'b', 'c'])
      expect(pages.filter((markdown) => new RegExp(`town \\d+${suffix},`).test(markdown))).toHaveLength(30)
    expect(pages.filter((markdown) => markdown.includes('## What is told'))).toHaveLength(30)
  })

  it('stays if pages are compared with their last version', async () => {
    const pages = await markdownOfStories(['markdown', 'changeTracking'], { removeRepeatedContent: true })
    expect(pages).toHaveLength(30)
    expect(pages.filter((markdown) => markdown.includes(notice))).toHaveLength(30)
  })

  it('stays in the scrape of a single page after a crawl', async () => {
    const body = { url: `${site.url}/stories/30`, maxAge: 0 }
    const answer = await call('POST', '/v2/scrape', { body })
    expect(answer.body.data.markdown).toContain(notice)
  })
})
