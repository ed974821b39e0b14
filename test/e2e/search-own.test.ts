import { afterAll, beforeAll, expect, it } from 'vitest'
import { call, type Json, scrape } from '../api.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.stop())

const unasked = 'no provider is configured for it (SEARCH_PROVIDERS)'

const search = async (body: object): Promise<Json> => {
  const answer = await call('POST', '/v2/search', { body })
  expect(answer).toMatchObject({ status: 200, body: { success: true } })
  return answer.body
}

// One test: whether the team has a page is what differs.
it('answers from the own pages alone where there is no provider, and says why it found nothing', async () => {
  const none = await search({ query: 'text of page', sources: ['web', 'images'] })
  expect(none).toMatchObject({ data: { web: [], images: [] }, creditsUsed: 0 })
  const missing = `of this team is in the index yet, and ${unasked}. Scrape or crawl pages first.`
  expect(none.warning).toContain(`web: no page ${missing}`)
  expect(none.warning).toContain(`images: no image on a page ${missing}`)
  const developer = await call('POST', '/v2/search/developer', { body: { query: 'text of page' } })
  expect(developer).toMatchObject({
    status: 200,
    body: {
      ...{ results: [], coverage: { doc: 'ok', issue: 'unavailable' } },
      warning: expect.stringContaining('No page of this team is in the index yet'),
    },
  })

  await scrape({ url: `${site.url}/pages/7` })
  await expect.poll(async () => (await search({ query: 'text of page' })).data.web.length).toBe(1)
  const found = await search({ query: 'text of page' })
  expect(found.data.web).toMatchObject([{ url: `${site.url}/pages/7` }])
  expect(found).not.toHaveProperty('warning')
  const other = await search({ query: 'xylophone', sources: ['web', 'news'] })
  expect(other).toMatchObject({ data: { web: [], news: [] }, creditsUsed: 0 })
  expect(other.warning).toContain(`web: only the own pages were searched, because ${unasked}.`)
  expect(other.warning).toContain(`news: only the own pages were searched, because ${unasked}.`)
})
