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
import { decideOptions, storedOptions } from './options.ts'
import { crawlRequest } from './schema.ts'

afterEach(endJobScenes)

const found = (name: string, changes: Partial<DiscoveredUrl> = {}): DiscoveredUrl => ({
  ...{ urlKey: name, url: `https://site.example/${name}`, depth: 0, isExternal: false },
  ...{ skipReason: undefined, ...changes },
})
const several = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => found(`${String(index + from).padStart(6, '0')}`))

interface Changes {
  request?: object
  row?: Partial<CrawlRow>
  parent?: Partial<JobRow>
  balance?: number
}

/** A crawl on record, which the test moves on. */
async function scene({ request = {}, row = {}, parent: changes = {}, balance }: Changes = {}) {
  const { store, team, insert, time } = await jobScene()
  const own = await team('a', balance === undefined ? {} : { balance })
  const parent = await insert(own, { kind: 'crawl', state: 'running', takes_slot: 0, ...changes })
  const options = decideOptions(crawlRequest.parse({ url: 'https://site.example/', ...request }), {})
  await insertCrawl(store.query, {
    ...{ job_id: parent.id, options: storedOptions.write(options), price: 1, most_living: 3, room: 10 },
    ...{ tries: 100, delay: 0, known: 0, rest_reason: null, skipped: null, notes: '[]', ...row },
  })
  const crawl = async () => {
    const kept = await findCrawl(store.query, parent.id)
    if (!kept) throw new Error('The crawl has gone.')
    return kept
  }
  return {
    ...{ store, parent, options, time, crawl },
    advance: (news: Partial<CrawlChanges>) =>
      store.transaction(async (transaction) => {
        const locked = await lockParent(store, transaction, parent.id)
        if (!locked) throw new Error('The job has gone.')
        await advanceCrawl(store, transaction, { ...noCrawlChanges, ...news, parent: locked, now: time.now })
      }),
    /** The pages that were taken, in the order of their being taken. */
    pages: () =>
      store.query.selectFrom('jobs').selectAll().where('parent_id', '=', parent.id).orderBy('id').execute(),
    frontier: () => store.query.selectFrom('frontier').selectAll().orderBy('url_key').execute(),
    end: (id: string) =>
      store.query.updateTable('jobs').set({ state: 'completed', credits: 0 }).where('id', '=', id).execute(),
  }
}

describe('a crawl that moves on', () => {
  it('takes as many pages as may live, the nearest to the start first', async () => {
    const { advance, pages, crawl, frontier } = await scene({ row: { most_living: 2 } })
    const deep = found('deep', { depth: 2 })
    await advance({ found: [deep, found('b', { depth: 1 }), found('a', { depth: 1 })] })
    const targets = (await pages()).map(({ target }) => target)
    expect(targets).toEqual(['https://site.example/b', 'https://site.example/a'])
    expect(await crawl()).toMatchObject({ known: 3, room: 8, tries: 98 })
    expect((await frontier()).map(({ url_key, state }) => [url_key, state])).toEqual([
      ['a', 'taken'],
      ['b', 'taken'],
      ['deep', 'waiting'],
    ])
  })

  it('takes the next when one has ended', async () => {
    const { advance, pages, end } = await scene({ row: { most_living: 1 } })
    await advance({ found: several(2) })
    const [first] = await pages()
    await advance({})
    expect(await pages()).toHaveLength(1)
    await end(first?.id ?? '')
    await advance({})
    expect(await pages()).toHaveLength(2)
  })

  it('scrapes each page as the options say, and tells it where it stands', async () => {
    const request = { scrapeOptions: { formats: ['links'], headers: { cookie: 'a=1' } } }
    const { advance, pages } = await scene({ request, row: { price: 7 } })
    await advance({ found: [found('a', { depth: 2, isExternal: true })] })
    const [page] = await pages()
    expect(page).toMatchObject({ kind: 'scrape', state: 'queued', takes_slot: 1, credits: 7 })
    expect(pageInput.read(page?.input ?? '')).toMatchObject({
      ...{ url: 'https://site.example/a', formats: [{ type: 'links' }], headers: { cookie: 'a=1' } },
      crawl: { depth: 2, isExternal: true, notBefore: 0 },
    })
  })

  it('adds what it has met before, and what is to be skipped, to nothing that is taken', async () => {
    const { advance, pages, crawl } = await scene()
    await advance({ found: [found('a'), found('robots', { skipReason: 'robots.txt' })] })
    await advance({ found: [found('a'), found('robots')] })
    expect(await pages()).toHaveLength(1)
    expect((await crawl()).known).toBe(2)
  })

  it('does nothing where its job has ended', async () => {
    const { advance, pages, crawl } = await scene({ parent: { state: 'cancelled' } })
    await advance({ found: several(3) })
    expect(await pages()).toEqual([])
    expect((await crawl()).known).toBe(0)
  })
})

describe('a crawl takes no more pages', () => {
  it('than its limit, and another for each that failed', async () => {
    const { advance, pages, crawl } = await scene({ row: { room: 1 } })
    await advance({ found: several(5) })
    expect(await pages()).toHaveLength(1)
    await advance({ failed: 1 })
    expect(await pages()).toHaveLength(2)
    expect(await crawl()).toMatchObject({ room: 0, tries: 98 })
  })

  it('than it may try, however many fail', async () => {
    const { advance, pages } = await scene({ row: { tries: 1 } })
    await advance({ found: several(5) })
    await advance({ failed: 1 })
    expect(await pages()).toHaveLength(1)
  })

  it('than the team can pay for', async () => {
    const { advance, pages } = await scene({ balance: 5, row: { price: 2 } })
    await advance({ found: several(5) })
    expect(await pages()).toHaveLength(2)
  })

  it('after its time is up', async () => {
    const { advance, pages, time, parent } = await scene()
    time.now = parent.deadline_at
    await advance({ found: several(5) })
    expect(await pages()).toEqual([])
  })
})

describe('a delay between pages', () => {
  it('is kept by all but the first', async () => {
    const { advance, pages, time, end } = await scene({ row: { delay: 500, most_living: 1 } })
    await advance({ found: [found('a')] })
    const [first] = await pages()
    await end(first?.id ?? '')
    await advance({ found: [found('b')] })
    const waits = (await pages()).map(({ input }) => pageInput.read(input).crawl?.notBefore)
    expect(waits).toEqual([0, time.now + 500])
  })
})

describe('a site without end', () => {
  it('is met up to a number of addresses, and the caller gets one note', async () => {
    const most = maxFrontierSize(1)
    const { advance, crawl, frontier } = await scene({
      request: { limit: 1 },
      row: { known: most - 2, room: 0 },
    })
    await advance({ found: several(3), notes: ['a note'] })
    await advance({ found: several(3, 3), notes: ['a note'] })
    expect(await frontier()).toHaveLength(2)
    const { known, notes } = await crawl()
    expect(known).toBe(most)
    const tooMany = `The site names more than ${most} addresses; further ones were not looked at.`
    expect(storedWarnings.read(notes)).toEqual(['a note', tooMany])
  })
})

describe('what a page finds, ahead of its end', () => {
  async function ahead(changes: Changes = {}) {
    const crawl = await scene(changes)
    let turns = 0
    const known = { options: crawl.options, isFull: false }
    const giveWay = async () => {
      turns += 1
    }
    const job = { parentId: crawl.parent.id, giveWay }
    const add = (rows: DiscoveredUrl[]) => addToFrontierEarly(crawl.store, { job, crawl: known }, rows)
    return { ...crawl, known, add, turns: () => turns }
  }

  it('is left to that end where it is little', async () => {
    const { add, frontier } = await ahead()
    expect(await add(several(100))).toHaveLength(100)
    expect(await frontier()).toEqual([])
  })

  it('is added in parts, with a turn for others between them, up to the last', async () => {
    const { add, frontier, crawl, pages, turns } = await ahead()
    expect(await add(several(250))).toEqual(several(50, 200))
    expect(await frontier()).toHaveLength(200)
    expect((await crawl()).known).toBe(200)
    expect(turns()).toBe(2)
    expect(await pages()).toEqual([])
  })

  it('is looked at no further where the crawl is full', async () => {
    const { add, known, frontier } = await ahead({
      request: { limit: 1 },
      row: { known: maxFrontierSize(1) },
    })
    expect(await add(several(250))).toEqual(several(1, 249))
    expect(known.isFull).toBe(true)
    expect(await frontier()).toEqual([])
  })

  it('is dropped where the crawl has ended', async () => {
    const { add, frontier } = await ahead({ parent: { state: 'cancelled' } })
    expect(await add(several(250))).toHaveLength(1)
    expect(await frontier()).toEqual([])
  })
})

describe('the news of pages that ended', () => {
  it('are what they found and noted, and how many of them others may replace', async () => {
    const { parent } = await scene()
    const page = { ...createChildRow(parent, 0), takes_slot: 1 }
    const ending = { id: page.id, holder: undefined, credits: 0, result: null, resultBlob: null, now: 0 }
    const ended = (state: 'completed' | 'failed', changes: Partial<EndedChild> = {}): EndedChild => ({
      ...{ row: page, note: undefined },
      ending: { ...ending, state, error: undefined, input: '{}', forget: false },
      ...changes,
    })
    const note = { found: [found('a')], notes: ['a note'] }
    const start = { ...page, takes_slot: 0 }
    const news = toCrawlChanges([
      ended('completed', { note }),
      ended('failed'),
      ended('failed', { row: start }),
    ])
    expect(news).toEqual({ ...note, failed: 1 })
  })
})
