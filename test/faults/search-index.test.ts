import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { page, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'
import { isWhole } from './faults.ts'
import { type StoredService, startOn, stores } from './on-each-store.ts'
import { randomText } from './stored.ts'

const count = 150
const wordOf = (number: number) => `xyl${number}ophone`

let site: Site
beforeAll(async () => {
  site = await startSite({
    routes: {
      '/words/:number': (exchange) => {
        const number = Number(exchange.params.number)
        sendHtml(exchange, page(`Page ${number}`, `<p>${wordOf(number)} ${randomText(number, 15_000)}</p>`))
      },
    },
  })
})
afterAll(() => site.stop())

// The claims of a killed process expire after two minutes.
describe.runIf(isWhole).each(stores)('the search index on %s', { timeout: 240_000 }, (kind) => {
  let stored: StoredService
  beforeAll(async () => {
    stored = await startOn(kind, { SEARCH_PROVIDERS: '', RATE_PER_MINUTE: '1000000' })
  })
  afterAll(() => stored.stop())

  const number = async (statement: string, source?: 'search') => Number(await stored.read(statement, source))
  const pending = () => number('select count(*) from search_pending')
  const documents = () => number('select count(*) from search_documents', 'search')
  const unindexed = () => number('select count(*) from search_documents where terms is null', 'search')
  const restart = async () => {
    await stored.service.kill()
    await stored.startAgain()
  }

  it('contains every page after kill -9 during indexing and during re-indexing', async () => {
    const urls = Array.from({ length: count }, (_, index) => `${site.url}/words/${index}`)
    const { body } = await stored.call('POST', '/v2/batch/scrape', { body: { urls } })
    const status = async () => (await stored.call('GET', `/v2/batch/scrape/${body.id}`)).body.status
    await expect.poll(status, { timeout: 90_000 }).toBe('completed')
    await expect.poll(async () => (await pending()) + (await documents())).toBeGreaterThanOrEqual(count)
    await restart()
    await expect.poll(pending, { timeout: 150_000 }).toBe(0)
    expect(await documents()).toBe(count)

    await stored.service.kill()
    await deleteTerms()
    expect(await unindexed()).toBe(count)
    await stored.startAgain()
    await expect.poll(unindexed, { timeout: 60_000, interval: 5 }).toBeLessThan(count)
    await restart()
    await expect.poll(unindexed, { timeout: 60_000 }).toBe(0)
    for (let index = 0; index < count; index += 15) {
      const searched = await stored.call('POST', '/v2/search', { body: { query: wordOf(index) } })
      expect(searched.body.data.web).toMatchObject([{ url: urls[index] }])
    }
    const words = await number('select words from search_indexes', 'search')
    expect(words).toBe(await number('select sum(length) from search_documents', 'search'))
  })

  /** Changes documents to the format of an older version. */
  async function deleteTerms(): Promise<void> {
    if (kind === 'sqlite') {
      const tables = await stored.read<string>(
        `select group_concat('drop table "' || name || '"', ';') from sqlite_master
          where sql like 'create virtual table%'`,
        'search',
      )
      await stored.change(tables.split(';'), 'search')
    }
    await stored.change(['update search_documents set terms = null, length = 0'], 'search')
    await stored.change(['update search_indexes set words = 0'], 'search')
  }
})
