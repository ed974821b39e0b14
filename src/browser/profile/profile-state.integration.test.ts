import type { BrowserContext } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, type OpenBrowser, startBrowser } from '../../../test/servers/browser.ts'
import { send } from '../../../test/site/route.ts'
import { type Site, startSite, startTlsSite, type TlsSite } from '../../../test/site/site.ts'
import { readState, restoreState, type StorageState } from './profile-state.ts'

/** Fills a page's origin with everything that a profile holds. */
async function fill(): Promise<void> {
  localStorage.setItem('theme', 'dark')
  const opening = indexedDB.open('shop', 3)
  opening.onupgradeneeded = () => {
    const inline = opening.result.createObjectStore('orders', { keyPath: ['shop', 'number'] })
    inline.createIndex('by tag', 'tags', { multiEntry: true })
    opening.result.createObjectStore('bytes')
    opening.result.createObjectStore('log', { autoIncrement: true })
  }
  const database = await new Promise<IDBDatabase>((resolve) => {
    opening.onsuccess = () => resolve(opening.result)
  })
  const writing = database.transaction(['orders', 'bytes', 'log'], 'readwrite')
  writing.objectStore('orders').add({ shop: 'a', number: 7, tags: ['x', 'y'], at: new Date(5) })
  writing.objectStore('bytes').add(Uint8Array.of(0, 127, 128, 255), 'typed')
  writing.objectStore('bytes').add(Uint8Array.of(9, 8).buffer, Uint8Array.of(1, 2))
  writing.objectStore('bytes').add(new Map([['key', 12n]]), ['list', 3])
  writing.objectStore('log').add({ nested: { list: [1, null, 'two'] } })
  await new Promise((resolve) => {
    writing.oncomplete = resolve
  })
  database.close()
}

/** What a page of the origin finds, in a form that can be compared. */
async function look() {
  const opening = indexedDB.open('shop')
  const database = await new Promise<IDBDatabase>((resolve) => {
    opening.onsuccess = () => resolve(opening.result)
  })
  if (database.objectStoreNames.length === 0) return { theme: localStorage.getItem('theme') }
  const reading = database.transaction(['orders', 'bytes', 'log'])
  const answer = <Value>(request: IDBRequest<Value>) =>
    new Promise<Value>((resolve) => {
      request.onsuccess = () => resolve(request.result)
    })
  const bytes = reading.objectStore('bytes')
  const [typed, buffer, map] = await Promise.all([
    answer(bytes.get('typed')),
    answer(bytes.get(Uint8Array.of(1, 2))),
    answer(bytes.get(['list', 3])),
  ])
  const byTag = await answer(reading.objectStore('orders').index('by tag').getAll('y'))
  const log = await answer(reading.objectStore('log').getAll())
  const { version } = database
  database.close()
  return {
    theme: localStorage.getItem('theme'),
    version,
    typed: [typed.constructor.name, ...typed],
    buffer: [buffer.constructor.name, ...new Uint8Array(buffer)],
    map: String(map.get('key')),
    order: byTag.map((order) => [order.shop, order.number, order.at.getTime()]),
    log: JSON.stringify(log),
  }
}

const filled = {
  theme: 'dark',
  version: 3,
  typed: ['Uint8Array', 0, 127, 128, 255],
  buffer: ['ArrayBuffer', 9, 8],
  map: '12',
  order: [['a', 7, 5]],
  log: '[{"nested":{"list":[1,null,"two"]}}]',
}

const script = { 'content-type': 'text/javascript' }
/** Takes every page of its origin, and leaves every request without an answer. */
const silentWorker = `
  onactivate = (event) => event.waitUntil(clients.claim())
  onfetch = (event) => event.respondWith(new Promise(() => undefined))`

describe.skipIf(chromiumPath === undefined)('the state of a browser', () => {
  let site: Site
  let secure: TlsSite
  const running: OpenBrowser[] = []
  beforeAll(async () => {
    site = await startSite({
      routes: { '/worker.js': ({ response }) => send(response, script, silentWorker) },
    })
    secure = await startTlsSite()
  })
  afterAll(() => Promise.all([site.stop(), secure.stop()]))
  afterEach(async () => {
    for (const browser of running.splice(0)) await browser.stop()
  })

  async function start(): Promise<OpenBrowser> {
    const browser = await startBrowser()
    running.push(browser)
    return browser
  }

  /** Visits an origin in a page of its own. */
  async function at<Result>(context: BrowserContext, url: string, work: () => Promise<Result>) {
    const tab = await context.newPage()
    await tab.goto(url)
    const result = await tab.evaluate(work)
    await tab.close()
    return result
  }

  const soon = Math.round(Date.now() / 1000) + 3600
  const cookies: StorageState['cookies'] = [
    { name: 'lax', value: '1', domain: 'a.example', path: '/', sameSite: 'Lax' as const },
    { name: 'strict', value: '2', domain: '.a.example', path: '/pages', sameSite: 'Strict' as const },
    {
      name: '__Host-none',
      value: '3=',
      domain: 'b.example',
      path: '/',
      sameSite: 'None' as const,
      secure: true,
    },
    { name: 'hidden', value: '4', domain: 'b.example', path: '/', sameSite: 'Lax' as const, httpOnly: true },
  ].map((cookie, index) => ({
    ...{ secure: false, httpOnly: false },
    expires: index === 0 ? -1 : soon,
    ...cookie,
  }))

  it('comes back in the default context of another: cookies, local storage and databases of several origins', async () => {
    const first = await (await start()).connect()
    await restoreState(first, { cookies: [], origins: [] })
    await first.addCookies(cookies)
    const origins = [site.host('a.example'), site.host('c.example'), secure.host('b.example')]
    for (const origin of origins) await at(first, `${origin}/pages/1`, fill)
    const state = await readState(first)
    expect(state.origins.map(({ origin }) => origin).sort()).toEqual(origins.sort())

    const second = await (await start()).connect()
    await restoreState(second, JSON.parse(JSON.stringify(state)))
    for (const origin of origins) expect(await at(second, `${origin}/pages/1`, look)).toEqual(filled)
    const byName = (left: { name: string }, right: { name: string }) => left.name.localeCompare(right.name)
    const back = await second.cookies()
    expect(back.toSorted(byName)).toEqual(cookies.toSorted(byName))
    const tab = await second.newPage()
    await tab.goto(`${secure.host('b.example')}/cookies/read`)
    expect(await tab.textContent('p')).toContain('hidden=4')
  })

  it('keeps origins of a profile that were not visited, and asks no site for them', async () => {
    const context = await (await start()).connect()
    const state = stateOf(site.host('a.example'), site.host('unvisited.example'))
    await restoreState(context, state)
    const hits = site.requests.length
    expect(await readState(context)).toEqual(withDatabases(state))
    expect(site.requests).toHaveLength(hits)
  })

  it('replaces what is there', async () => {
    const context = await (await start()).connect()
    await restoreState(context, stateOf(site.host('a.example')))
    await at(context, `${site.host('a.example')}/pages/1`, fill)
    await restoreState(context, stateOf(site.host('b.example')))
    expect(await readState(context)).toEqual(withDatabases(stateOf(site.host('b.example'))))
  })

  it('is read by a driver that came late, from open pages and from what the profile had', async () => {
    const browser = await start()
    const early = await browser.connect()
    const known = stateOf(site.host('a.example'))
    await restoreState(early, known)
    const tab = await early.newPage()
    await tab.goto(`${site.host('open.example')}/pages/1`)
    await tab.evaluate(() => localStorage.setItem('key', 'value'))
    const late = await browser.connect()
    const state = await readState(late, { known })
    expect(state).toEqual(withDatabases(stateOf(site.host('open.example'), site.host('a.example'))))
  })

  it('is read from a browser with a page that hangs', async () => {
    const context = await (await start()).connect()
    await restoreState(context, stateOf(site.host('a.example')))
    const tab = await context.newPage()
    await tab.goto(`${site.host('hangs.example')}/pages/1`)
    await tab.evaluate(() => {
      localStorage.setItem('key', 'value')
      setTimeout(() => {
        for (;;) Math.random()
      }, 0)
    })
    const state = await readState(context, { patienceMs: 3000 })
    expect(state.origins.map(({ origin }) => origin).sort()).toEqual([
      site.host('a.example'),
      site.host('hangs.example'),
    ])
  })

  it('is read past a worker that answers for its site and never ends', async () => {
    const context = await (await start()).connect()
    // Loopback, as workers need an origin that is safe.
    const state = stateOf(site.url)
    await restoreState(context, state)
    const tab = await context.newPage()
    await tab.goto(`${site.url}/pages/1`)
    const isControlled = await tab.evaluate(async () => {
      await navigator.serviceWorker.register('/worker.js')
      await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve))
      return navigator.serviceWorker.controller !== null
    })
    await tab.goto('about:blank')
    expect(isControlled).toBe(true)
    expect(await readState(context)).toEqual(withDatabases(state))
  })

  it.each(['default', 'separate'])('is not read from a %s context where it is too large', async (kind) => {
    const context = await (await start()).connect()
    const own = kind === 'separate' ? await context.browser()?.newContext() : undefined
    const filling = own ?? context
    await restoreState(filling, stateOf(site.host('a.example')))
    await at(filling, `${site.host('large.example')}/pages/1`, async () => {
      const opening = indexedDB.open('large')
      opening.onupgradeneeded = () => {
        const bytes = new Uint8Array(2_000_000).map(() => Math.random() * 256)
        opening.result.createObjectStore('bytes').add(bytes, 1)
      }
      await new Promise((resolve) => {
        opening.onsuccess = resolve
      })
    })
    await expect(readState(filling, { maxBytes: 1_000_000 })).rejects.toMatchObject({
      code: 'PROFILE_TOO_LARGE',
    })
    expect(await readState(filling)).toMatchObject({ origins: { length: 2 } })
    await own?.close()
  })

  it('is read without its databases where one of them cannot be read, and says so', async () => {
    const context = await (await start()).connect()
    await restoreState(context, stateOf(site.host('a.example')))
    await at(context, `${site.host('b.example')}/pages/1`, async () => {
      localStorage.setItem('key', 'value')
      await new Promise((resolve) => {
        indexedDB.open('').onsuccess = resolve
      })
    })
    const losses: string[] = []
    const state = await readState(context, { onLoss: (what) => losses.push(what) })
    expect(state).toEqual(stateOf(site.host('a.example'), site.host('b.example')))
    expect(losses).toEqual([expect.stringContaining('IndexedDB')])
  })

  it('comes back but for the cookies and databases that the browser does not take, and says so', async () => {
    const first = await (await start()).connect()
    await restoreState(first, stateOf(site.host('a.example')))
    await at(first, `${site.host('b.example')}/pages/1`, async () => {
      localStorage.setItem('key', 'value')
      const opening = indexedDB.open('files')
      opening.onupgradeneeded = () => {
        // The driver saves no files, and what is left has no key.
        const store = opening.result.createObjectStore('files', { keyPath: 'file.size' })
        store.add({ file: new File(['abc'], 'name') })
      }
      await new Promise((resolve) => {
        opening.onsuccess = resolve
      })
    })
    const state = await readState(first)
    const cookie = { domain: 'a.example', path: '/', expires: -1, httpOnly: false, secure: false }
    const cookies = ['no;name', 'good'].map((name) => ({
      ...cookie,
      name,
      value: '1',
      sameSite: 'Lax' as const,
    }))
    const second = await (await start()).connect()
    const losses: string[] = []
    await restoreState(second, { ...state, cookies }, (what) => losses.push(what))
    expect(losses).toEqual([expect.stringContaining('IndexedDB'), expect.stringMatching(/^1 cookies/)])
    const back = await readState(second)
    expect(back.cookies.map(({ name }) => name)).toEqual(['good'])
    expect(back.origins.map(({ origin }) => origin).sort()).toEqual([
      site.host('a.example'),
      site.host('b.example'),
    ])
  })
})

function stateOf(...origins: string[]): StorageState {
  const localStorage = [{ name: 'key', value: 'value' }]
  return { cookies: [], origins: origins.map((origin) => ({ origin, localStorage })) }
}

/** The driver writes an empty list for an origin without databases. */
function withDatabases(state: StorageState) {
  return { ...state, origins: state.origins.map((origin) => ({ ...origin, indexedDB: [] })) }
}
