import { afterAll, beforeAll, expect, it } from 'vitest'
import { call, type Json, scrape } from '../api.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.stop())

const noProvider = 'no provider is configured for it (SEARCH_PROVIDERS)'

const search = async (body: object): Promise<Json> => {
  const answer = await call('POST', '/v2/search', { body })
  expect(answer).toMatchObject({ status: 200, body: { success: true } })
  return answer.body
}

// This is one test, because the result depends on whether the team has a page.
it('a search without providers returns indexed pages only, and explains an empty result', async () => {
  const empty = await search({ query: 'text of page', sources: ['web', 'images'] })
  expect(empty).toMatchObject({ data: { web: [], images: [] }, creditsUsed: 0 })
  const missing = `of this team is in the index yet, and ${noProvider}. Scrape or crawl pages first.`
  expect(empty.warning).toContain(`web: no page ${missing}`)
  expect(empty.warning).toContain(`images: no image on a page ${missing}`)
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
  expect(other.warning).toContain(`web: only the own pages were searched, because ${noProvider}.`)
  expect(other.warning).toContain(`news: only the own pages were searched, because ${noProvider}.`)
})
