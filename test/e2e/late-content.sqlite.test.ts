import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Json, scrape } from '../api.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.stop())

const data = async (path: string, options: object = {}): Promise<Json> => {
  const { body } = await scrape({ url: site.url + path, maxAge: 0, ...options })
  expect(body.error).toBeUndefined()
  return body.data
}

describe('content that loads late', () => {
  const notice = 'Please+wait+while+we+prepare+everything+for+you,+it+will+only+take+a+moment.'
  it.each([
    [
      'by timers',
      ['ms=400', 'ms=4000', 'ms=2000&says=Loading…', `ms=900&says=${notice}`].map(
        (query) => `/late/timer?${query}`,
      ),
    ],
    [
      'by an API',
      ['ms=300', 'ms=1500', 'ms=4000', 'ms=1500&says=Wird+geladen'].map((query) => `/late/api?${query}`),
    ],
    [
      'behind spinners and skeletons, and in pages written before',
      ['/late/spinner', '/late/skeleton', '/late/hydration'],
    ],
  ])('is awaited without any option: %s', async (_, paths) => {
    const pages = await Promise.all(paths.map((path) => data(path)))
    for (const { markdown } of pages) expect(markdown).toContain('The harbour opens when the tide allows it.')
  })

  it('is not awaited on a complete page that never becomes idle', async () => {
    const causes = ['poll', 'hanging', 'clock', 'ticker', 'style']
    const paths = causes.map((cause) => `/late/never-quiet?by=${cause}`)
    const pages = await Promise.all(paths.map((path) => data(path, { mobile: true })))
    for (const { markdown, warning } of pages) {
      expect(markdown).toContain('The lighthouse has been burning every night')
      expect(warning).toBeUndefined()
    }
  })

  it('is awaited for at most half of the timeout, with a warning', async () => {
    const { warning } = await data('/late/timer?ms=9000', { timeout: 6500 })
    expect(warning).toContain('The page was still loading when it was read.')
  })
})
