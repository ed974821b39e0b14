import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type OwnService, startOwnService } from '../api.ts'
import { page } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
let service: OwnService
beforeAll(async () => {
  const manyMetas = Array.from({ length: 400 }, (_, index) => `<meta name="m${index}" content="x">`).join('')
  site = await startSite({
    routes: {
      '/talkative': ({ response }) =>
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(`<title>Talkative</title>${manyMetas}${page('Talkative', '<p>It says a lot of itself.</p>')}`),
    },
  })
  service = await startOwnService({ TEAM_CREDITS: '40', TEAM_CONCURRENCY: '1' })
})
afterAll(async () => {
  await service.remove()
  await site.stop()
})

const scrape = (path: string, options: object = {}): Promise<Answer> =>
  service.call('POST', '/v2/scrape', { body: { url: site.url + path, ...options } })
const remaining = async (): Promise<number> =>
  (await service.call('GET', '/v2/team/credit-usage')).body.data.remainingCredits

const slots = async (): Promise<number> =>
  (await service.call('GET', '/v2/concurrency-check')).body.concurrency

/** Starts a scrape that occupies the only slot of the team. The returned function aborts it. */
function occupySlot(): () => Promise<void> {
  const controller = new AbortController()
  const busy = fetch(`${service.url}/v2/scrape`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: `${site.url}/hang` }),
    signal: controller.signal,
  }).catch(() => 'left')
  return async () => {
    controller.abort()
    expect(await busy).toBe('left')
  }
}

describe('a response from the cache', () => {
  it('is a regular job: charged, listed, and readable by its id', async () => {
    await scrape('/pages/1')
    const before = await remaining()
    const { body } = await scrape('/pages/1', { formats: ['rawHtml'] })
    expect(body.data.metadata).toMatchObject({ cacheState: 'hit', creditsUsed: 1, title: 'Page 1' })
    expect(await remaining()).toBe(before - 1)
    const id = body.data.metadata.scrapeId
    expect((await service.call('GET', `/v2/scrape/${id}`)).body.data).toEqual(body.data)
    const { data } = (await service.call('GET', '/v2/team/activity')).body
    expect(data[0]).toMatchObject({ id, target: `${site.url}/pages/1` })
  })

  it('does not wait for a slot', async () => {
    await scrape('/pages/1')
    const release = occupySlot()
    await expect.poll(slots).toBe(1)
    const { body } = await scrape('/pages/1')
    expect(body.data.metadata).toMatchObject({ cacheState: 'hit', concurrencyLimited: false })
    await release()
    await expect.poll(slots).toBe(0)
  })

  it('waits for a slot if a file must be converted', async () => {
    await scrape('/files/harbours.csv')
    const release = occupySlot()
    await expect.poll(slots).toBe(1)
    const converted = scrape('/files/harbours.csv')
    const queue = async () => (await service.call('GET', '/v2/team/queue-status')).body.waitingJobsInQueue
    await expect.poll(queue).toBe(1)
    await release()
    const { metadata } = (await converted).body.data
    expect(metadata).toMatchObject({ cacheState: 'hit', concurrencyLimited: true })
  })

  it('repeats the warning of the first scrape', async () => {
    const first = await scrape('/talkative', { formats: ['rawHtml'] })
    const second = await scrape('/talkative', { formats: ['rawHtml'] })
    expect(first.body.data.warning).toContain('too much metadata')
    expect(second.body.data.metadata.cacheState).toBe('hit')
    expect(second.body.data.warning).toBe(first.body.data.warning)
    const third = await scrape('/talkative', { formats: ['markdown'] })
    expect(third.body.data.warning).toBe(first.body.data.warning)
  })

  it('has the metadata of the page, even if no format requires parsing', async () => {
    await scrape('/article')
    const [raw, parsed] = await Promise.all([
      scrape('/article', { formats: ['rawHtml'] }),
      scrape('/article', { formats: ['links'] }),
    ])
    const { scrapeId: _, ...metadata } = parsed.body.data.metadata
    expect(raw.body.data.metadata).toMatchObject(metadata)
  })

  it('is readable after the process that sent it was killed', async () => {
    const balance = await remaining()
    const { body } = await scrape('/pages/1')
    await service.kill()
    service = await service.again()
    expect(await remaining()).toBe(balance - 1)
    const again = await service.call('GET', `/v2/scrape/${body.data.metadata.scrapeId}`)
    expect(again.body.data).toEqual(body.data)
  })

  it('never overdraws the balance, even with concurrent requests', async () => {
    const key = await service.newTeam()
    const scrapePage = () => service.call('POST', '/v2/scrape', { key, body: { url: `${site.url}/pages/1` } })
    await scrapePage()
    const answers = await Promise.all(Array.from({ length: 39 + 5 }, scrapePage))
    const codes = answers.map((answer) => answer.body.code ?? 'ok')
    expect(codes.filter((code) => code === 'ok')).toHaveLength(39)
    expect(codes.filter((code) => code === 'CREDITS_EXHAUSTED')).toHaveLength(5)
    const { body } = await service.call('GET', '/v2/team/credit-usage', { key })
    expect(body.data.remainingCredits).toBe(0)
  })
})
