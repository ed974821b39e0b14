import { describe, expect, it } from 'vitest'
import { readPrompt } from '../../extraction/page-parts/crawl-prompt.ts'
import { previewCrawl } from './preview.ts'

const preview = (prompt: string) =>
  previewCrawl(
    {
      seenPaths: async () => ['/blog/one', '/blog/two'],
      readPrompt: async (text, paths) => readPrompt(text, paths),
    },
    { url: 'https://site.example', prompt },
  )

describe('previewCrawl', () => {
  it('becomes options', async () => {
    expect(await preview('only the blog, at most 5 pages')).toEqual({
      options: expect.objectContaining({ url: 'https://site.example/', limit: 5 }),
    })
  })

  it('drops a limit of 5,000,000 and names it in the warning', async () => {
    const { options, warning } = await preview('at most 5,000,000 pages, depth 2')
    expect(options).toEqual({ url: 'https://site.example/', maxDiscoveryDepth: 2 })
    expect(warning).toBe('Outside of what a crawl can be asked for: limit.')
  })

  it('names parts of the prompt that are not understood', async () => {
    const { options, warning } = await preview('at most 0 pages. Paint them blue!')
    expect(options).not.toHaveProperty('limit')
    expect(warning).toMatch(/paint them blue.*Outside of what a crawl can be asked for: limit\.$/)
  })
})
