import { afterEach, describe, expect, it } from 'vitest'
import { endJobScenes, jobScene } from '../../../test/jobs.ts'
import type { EndedChild } from '../../jobs/finish-parent.ts'
import { createChildRow } from '../../jobs/job.ts'
import { type CrawlRow, type DiscoveredUrl, findCrawl, insertCrawl } from '../../store/frontier.ts'
import type { JobRow } from '../../store/jobs/jobs.ts'
import { lockParent } from '../../store/locks.ts'
import {
  addToFrontierEarly,
  advanceCrawl,
  type CrawlChanges,
  maxFrontierSize,
  noCrawlChanges,
  toCrawlChanges,
} from './advance.ts'
import { storedWarnings } from './crawl-summary.ts'
import { pageInput } from './job-inputs.ts'
import { resolveOptions, storedOptions } from './options.ts'
import { crawlRequest } from './schema.ts'

afterEach(endJobScenes)

const createUrl = (name: string, changes: Partial<DiscoveredUrl> = {}): DiscoveredUrl => ({
  ...{ urlKey: name, url: `https://site.example/${name}`, depth: 0, isExternal: false },
  ...{ skipReason: undefined, ...changes },
})
const createUrls = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => createUrl(`${String(index + from).padStart(6, '0')}`))

interface Changes {
  request?: object
  row?: Partial<CrawlRow>
  parent?: Partial<JobRow>
  balance?: number
}

/** Stores a crawl that the test advances. */
async function setup({ request = {}, row = {}, parent: changes = {}, balance }: Changes = {}) {
  const { store, team, insert, time } = await jobScene()
  const testTeam = await team('a', balance === undefined ? {} : { balance })
  const parent = await insert(testTeam, { kind: 'crawl', state: 'running', takes_slot: 0, ...changes })
  const options = resolveOptions(crawlRequest.parse({ url: 'https://site.example/', ...request }), {})
  await insertCrawl(store.query, {
    ...{ job_id: parent.id, options: storedOptions.write(options), price: 1, most_living: 3, room: 10 },
    ...{ tries: 100, delay: 0, known: 0, rest_reason: null, skipped: null, notes: '[]', ...row },
  })
  const crawl = async () => {
    const stored = await findCrawl(store.query, parent.id)
    if (!stored) throw new Error('The crawl has gone.')
    return stored
  }
  return {
    ...{ store, parent, options, time, crawl },
    advance: (changes: Partial<CrawlChanges>) =>
      store.transaction(async (transaction) => {
        const locked = await lockParent(store, transaction, parent.id)
        if (!locked) throw new Error('The job has gone.')
        await advanceCrawl(store, transaction, {
          ...noCrawlChanges,
          ...changes,
          parent: locked,
          now: time.now,
        })
      }),
    /** Returns the pages in the order in which they were taken. */
    pages: () =>
      store.query.selectFrom('jobs').selectAll().where('parent_id', '=', parent.id).orderBy('id').execute(),
    frontier: () => store.query.selectFrom('frontier').selectAll().orderBy('url_key').execute(),
    end: (id: string) =>
      store.query.updateTable('jobs').set({ state: 'completed', credits: 0 }).where('id', '=', id).execute(),
  }
}

describe('advanceCrawl', () => {
  it('takes at most most_living pages, the lowest depth first', async () => {
    const { advance, pages, crawl, frontier } = await setup({ row: { most_living: 2 } })
    const deep = createUrl('deep', { depth: 2 })
    await advance({ found: [deep, createUrl('b', { depth: 1 }), createUrl('a', { depth: 1 })] })
    const targets = (await pages()).map(({ target }) => target)
    expect(targets).toEqual(['https://site.example/b', 'https://site.example/a'])
    expect(await crawl()).toMatchObject({ known: 3, room: 8, tries: 98 })
    expect((await frontier()).map(({ url_key, state }) => [url_key, state])).toEqual([
      ['a', 'taken'],
      ['b', 'taken'],
      ['deep', 'waiting'],
    ])
  })

  it('takes the next page after one has ended', async () => {
    const { advance, pages, end } = await setup({ row: { most_living: 1 } })
    await advance({ found: createUrls(2) })
    const [first] = await pages()
    await advance({})
    expect(await pages()).toHaveLength(1)
    await end(first?.id ?? '')
    await advance({})
    expect(await pages()).toHaveLength(2)
  })

  it('creates a page job with the scrape options, depth and isExternal', async () => {
    const request = { scrapeOptions: { formats: ['links'], headers: { cookie: 'a=1' } } }
    const { advance, pages } = await setup({ request, row: { price: 7 } })
    await advance({ found: [createUrl('a', { depth: 2, isExternal: true })] })
    const [page] = await pages()
    expect(page).toMatchObject({ kind: 'scrape', state: 'queued', takes_slot: 1, credits: 7 })
    expect(pageInput.read(page?.input ?? '')).toMatchObject({
      ...{ url: 'https://site.example/a', formats: [{ type: 'links' }], headers: { cookie: 'a=1' } },
      crawl: { depth: 2, isExternal: true, notBefore: 0 },
    })
  })

  it('does not take a known URL again, nor a URL with a skip reason', async () => {
    const { advance, pages, crawl } = await setup()
    await advance({ found: [createUrl('a'), createUrl('robots', { skipReason: 'robots.txt' })] })
    await advance({ found: [createUrl('a'), createUrl('robots')] })
    expect(await pages()).toHaveLength(1)
    expect((await crawl()).known).toBe(2)
  })

  it('does nothing if the job was cancelled', async () => {
    const { advance, pages, crawl } = await setup({ parent: { state: 'cancelled' } })
    await advance({ found: createUrls(3) })
    expect(await pages()).toEqual([])
    expect((await crawl()).known).toBe(0)
  })
})

describe('advanceCrawl stops taking pages', () => {
  it('at the limit, and replaces a failed page by another', async () => {
    const { advance, pages, crawl } = await setup({ row: { room: 1 } })
    await advance({ found: createUrls(5) })
    expect(await pages()).toHaveLength(1)
    await advance({ failed: 1 })
    expect(await pages()).toHaveLength(2)
    expect(await crawl()).toMatchObject({ room: 0, tries: 98 })
  })

  it('after the maximum number of tries, even if all pages failed', async () => {
    const { advance, pages } = await setup({ row: { tries: 1 } })
    await advance({ found: createUrls(5) })
    await advance({ failed: 1 })
    expect(await pages()).toHaveLength(1)
  })

  it("if the team's credits are used up", async () => {
    const { advance, pages } = await setup({ balance: 5, row: { price: 2 } })
    await advance({ found: createUrls(5) })
    expect(await pages()).toHaveLength(2)
  })

  it('after the deadline', async () => {
    const { advance, pages, time, parent } = await setup()
    time.now = parent.deadline_at
    await advance({ found: createUrls(5) })
    expect(await pages()).toEqual([])
  })
})

describe('crawl delay', () => {
  it('applies to all pages except the first', async () => {
    const { advance, pages, time, end } = await setup({ row: { delay: 500, most_living: 1 } })
    await advance({ found: [createUrl('a')] })
    const [first] = await pages()
    await end(first?.id ?? '')
    await advance({ found: [createUrl('b')] })
    const waits = (await pages()).map(({ input }) => pageInput.read(input).crawl?.notBefore)
    expect(waits).toEqual([0, time.now + 500])
  })
})

describe('a site with endless URLs', () => {
  it('is cut at the maximum frontier size, with one warning', async () => {
    const maxSize = maxFrontierSize(1)
    const { advance, crawl, frontier } = await setup({
      request: { limit: 1 },
      row: { known: maxSize - 2, room: 0 },
    })
    await advance({ found: createUrls(3), notes: ['a note'] })
    await advance({ found: createUrls(3, 3), notes: ['a note'] })
    expect(await frontier()).toHaveLength(2)
    const { known, notes } = await crawl()
    expect(known).toBe(maxSize)
    const tooMany = `The site names more than ${maxSize} addresses; further ones were not looked at.`
    expect(storedWarnings.read(notes)).toEqual(['a note', tooMany])
  })
})

describe('addToFrontierEarly', () => {
  async function setupEarlyAdd(changes: Changes = {}) {
    const crawl = await setup(changes)
    let turns = 0
    const cachedCrawl = { options: crawl.options, isFull: false }
    const yieldToForeground = async () => {
      turns += 1
    }
    const job = { parentId: crawl.parent.id, yieldToForeground }
    const add = (rows: DiscoveredUrl[]) => addToFrontierEarly(crawl.store, { job, crawl: cachedCrawl }, rows)
    return { ...crawl, known: cachedCrawl, add, turns: () => turns }
  }

  it('returns 100 URLs without adding them', async () => {
    const { add, frontier } = await setupEarlyAdd()
    expect(await add(createUrls(100))).toHaveLength(100)
    expect(await frontier()).toEqual([])
  })

  it('adds batches of 100 URLs, yields after each and returns the rest', async () => {
    const { add, frontier, crawl, pages, turns } = await setupEarlyAdd()
    expect(await add(createUrls(250))).toEqual(createUrls(50, 200))
    expect(await frontier()).toHaveLength(200)
    expect((await crawl()).known).toBe(200)
    expect(turns()).toBe(2)
    expect(await pages()).toEqual([])
  })

  it('adds nothing and sets isFull if the frontier has its maximum size', async () => {
    const { add, known, frontier } = await setupEarlyAdd({
      request: { limit: 1 },
      row: { known: maxFrontierSize(1) },
    })
    expect(await add(createUrls(250))).toEqual(createUrls(1, 249))
    expect(known.isFull).toBe(true)
    expect(await frontier()).toEqual([])
  })

  it('adds nothing if the crawl was cancelled', async () => {
    const { add, frontier } = await setupEarlyAdd({ parent: { state: 'cancelled' } })
    expect(await add(createUrls(250))).toHaveLength(1)
    expect(await frontier()).toEqual([])
  })
})

describe('toCrawlChanges', () => {
  it('merges found URLs and notes, and counts failed pages without start jobs', async () => {
    const { parent } = await setup()
    const page = { ...createChildRow(parent, 0), takes_slot: 1 }
    const ending = { id: page.id, holder: undefined, credits: 0, result: null, resultBlob: null, now: 0 }
    const ended = (state: 'completed' | 'failed', changes: Partial<EndedChild> = {}): EndedChild => ({
      ...{ row: page, note: undefined },
      ending: { ...ending, state, error: undefined, input: '{}', erase: false },
      ...changes,
    })
    const note = { found: [createUrl('a')], notes: ['a note'] }
    const start = { ...page, takes_slot: 0 }
    const crawlChanges = toCrawlChanges([
      ended('completed', { note }),
      ended('failed'),
      ended('failed', { row: start }),
    ])
    expect(crawlChanges).toEqual({ ...note, failed: 1 })
  })
})
