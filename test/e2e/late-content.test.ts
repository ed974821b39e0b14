import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scrape } from '../api.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.stop())

const markdownOf = async (path: string, options: object = {}): Promise<string> => {
  const { body } = await scrape({ url: site.url + path, maxAge: 0, ...options })
  return body.data?.markdown ?? JSON.stringify(body)
}

describe('content that comes late', () => {
  it.concurrent.each([
    ['timers on an empty page', [400, 900, 2000, 4000].map((ms) => `/late/timer?ms=${ms}`)],
    ['timers behind a word', [900, 4000].map((ms) => `/late/timer?ms=${ms}&says=Loading…`)],
    [
      'timers behind a notice',
      [
        '/late/timer?ms=2000&says=Please+wait+while+we+prepare+everything+for+you,+it+will+only+take+a+moment.',
      ],
    ],
    ['answers of an API', [300, 1500, 4000].map((ms) => `/late/api?ms=${ms}`)],
    ['answers of an API behind a word', [1500, 4000].map((ms) => `/late/api?ms=${ms}&says=Wird+geladen`)],
    ['spinners, skeletons and hydration', ['/late/spinner', '/late/skeleton', '/late/hydration']],
  ])('is waited for without any option: %s', async (_, paths) => {
    const texts = await Promise.all(paths.map((path) => markdownOf(path)))
    for (const text of texts) expect(text).toContain('The harbour opens when the tide allows it.')
  })

  it.concurrent('is not waited for on a page that is whole and never quiet', async () => {
    const ways = ['poll', 'hanging', 'clock', 'ticker', 'style', 'none']
    const paths = ways.map((by) => `/late/never-quiet?by=${by}`)
    const texts = await Promise.all(paths.map((path) => markdownOf(path, { waitFor: 1 })))
    for (const text of texts) {
      expect(text).toContain('The lighthouse has been burning every night')
      expect(text).not.toContain('Too late for anybody.')
    }
  })

  it.concurrent('takes no more than half of the time that a call has', async () => {
    const { status, body } = await scrape({ url: `${site.url}/late/timer?ms=9000`, maxAge: 0, timeout: 6000 })
    expect(status, JSON.stringify(body)).toBe(200)
  })
})
