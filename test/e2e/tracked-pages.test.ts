import { afterAll, beforeAll, describe, it } from 'vitest'
import { call, type Json, scrape } from '../api.ts'
import { page, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

/** Current text of each page; undefined if the page is gone. */
const texts = new Map<string, string | undefined>()
let site: Site
beforeAll(async () => {
  site = await startSite({
    routes: {
      '/board/:name': (exchange) => {
        const text = texts.get(exchange.params.name ?? '')
        if (text === undefined) exchange.response.writeHead(404).end('<p>Gone.</p>')
        else sendHtml(exchange, page('Board', text))
      },
    },
  })
})
afterAll(() => site.stop())

async function track(name: string, text: string | undefined, tag?: string): Promise<Json> {
  texts.set(name, text)
  const tracking = { type: 'changeTracking', modes: ['git-diff'], ...(tag === undefined ? {} : { tag }) }
  const { body } = await scrape({
    ...{ url: `${site.url}/board/${name}`, formats: ['markdown', tracking], maxAge: 0, fastMode: true },
  })
  return body.data.changeTracking
}

async function listPages(search: string): Promise<Json[]> {
  const { status, body } = await call('GET', `/v2/team/tracked-pages?search=${encodeURIComponent(search)}`)
  return status === 200 ? body.data : [body]
}

describe('tracked pages', () => {
  it('are listed with the result of the last comparison', async ({ expect }) => {
    await track('ferry', '<p>The ferry leaves at nine.</p>')
    await track('ferry', '<p>The ferry leaves at ten.</p>')
    await track('ferry', '<p>The ferry leaves at ten.</p>')
    await track('ferry', '<p>The ferry leaves at ten.</p>', 'daily')
    const pages = await listPages('/board/FERRY')
    const summaries = pages.map(({ url, tag, versions, changeStatus }) => ({
      url,
      tag,
      versions,
      changeStatus,
    }))
    const url = `${site.url}/board/ferry`
    expect(summaries).toEqual([
      { url, tag: 'daily', versions: 1, changeStatus: 'new' },
      { url, tag: null, versions: 2, changeStatus: 'same' },
    ])
    const [, { firstSeen, lastChange, lastSeen }] = pages as [Json, Json]
    expect(firstSeen < lastChange && lastChange < lastSeen).toBe(true)
    await track('ferry', undefined)
    expect((await listPages('/board/ferry')).map(({ changeStatus }) => changeStatus)).toEqual([
      'new',
      'removed',
    ])
  })

  it('have versions, and the difference of any two equals the tracked difference', async ({ expect }) => {
    await track('tide', '<p>Low water at one.</p>')
    const second = await track('tide', '<p>Low water at two.</p>')
    await track('tide', '<p>Low water at three.</p>')
    const [{ id }] = (await listPages('/board/tide')) as [Json]
    const { body } = await call('GET', `/v2/team/tracked-pages/${id}`)
    const { history } = body.data
    expect(history.map(({ size }: Json) => size > 20)).toEqual([true, true, true])
    const [third, middle, first] = history
    const getDifference = (query: string) => call('GET', `/v2/team/tracked-pages/${id}/diff${query}`)
    const latest = await getDifference('')
    expect(latest.body.data).toMatchObject({ from: { id: middle.id }, to: { id: third.id }, isSame: false })
    expect(latest.body.data.diff).toContain('-Low water at two.\n+Low water at three.')
    const earlier = await getDifference(`?from=${first.id}&to=${middle.id}`)
    expect(earlier.body.data).toMatchObject({ diff: second.diff, diffJson: second.diffJson })
    const full = await getDifference(`?from=${first.id}`)
    expect(full.body.data.diff).toContain('-Low water at one.\n+Low water at three.')
    const unknownVersion = await getDifference('?from=1')
    expect([unknownVersion.status, unknownVersion.body.code]).toEqual([404, 'VERSION_NOT_FOUND'])
  })

  it('keep their last ten versions', async ({ expect }) => {
    for (let entry = 1; entry <= 12; entry += 1) await track('log', `<p>Entry number ${entry}.</p>`)
    const [{ id, versions }] = (await listPages('/board/log')) as [Json]
    expect(versions).toBe(10)
    const { body } = await call('GET', `/v2/team/tracked-pages/${id}`)
    expect(body.data.history).toHaveLength(10)
    const oldest = body.data.history.at(-1).id
    const difference = await call('GET', `/v2/team/tracked-pages/${id}/diff?from=${oldest}`)
    expect(difference.body.data.diff).toContain('-Entry number 3.\n+Entry number 12.')
  })

  it('are listed in pages', async ({ expect }) => {
    for (const name of ['quay-1', 'quay-2', 'quay-3']) await track(name, `<p>Pier ${name}.</p>`)
    const path = '/v2/team/tracked-pages?search=/board/quay&limit=2'
    const first = (await call('GET', path)).body
    const second = (await call('GET', `${path}&before=${first.cursor}`)).body
    expect([first.has_more, second.has_more, second.cursor]).toEqual([true, false, null])
    expect([...first.data, ...second.data].map(({ url }: Json) => url)).toEqual(
      ['quay-3', 'quay-2', 'quay-1'].map((name) => `${site.url}/board/${name}`),
    )
    expect((await call('GET', `${path}&before=x`)).status).toBe(400)
  })

  it('match the characters of a search literally, and return 404 for an unknown page', async ({ expect }) => {
    await track('plain', '<p>Plain.</p>')
    expect(await listPages('/board/pl%in')).toEqual([])
    expect(await listPages('/board/p_ain')).toEqual([])
    const unknown = await call('GET', `/v2/team/tracked-pages/${'0'.repeat(64)}`)
    expect([unknown.status, unknown.body.code]).toEqual([404, 'TRACKED_PAGE_NOT_FOUND'])
    const [{ id }] = (await listPages('/board/plain')) as [Json]
    const singleVersion = await call('GET', `/v2/team/tracked-pages/${id}/diff`)
    expect([singleVersion.status, singleVersion.body.code]).toEqual([404, 'VERSION_NOT_FOUND'])
  })
})
