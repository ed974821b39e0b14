import type { BrowserContext } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, type OpenBrowser, startBrowser } from '../../../test/servers/browser.ts'
import { send } from '../../../test/site/route.ts'
import { type Site, startSite, startTlsSite, type TlsSite } from '../../../test/site/site.ts'
import { readState, restoreState, type StorageState } from './profile-state.ts'

/** Fills the origin of a page with all kinds of storage that a profile contains. */
async function fillStorage(): Promise<void> {
  localStorage.setItem('theme', 'dark')
  const openRequest = indexedDB.open('shop', 3)
  openRequest.onupgradeneeded = () => {
    const inline = openRequest.result.createObjectStore('orders', { keyPath: ['shop', 'number'] })
    inline.createIndex('by tag', 'tags', { multiEntry: true })
    openRequest.result.createObjectStore('bytes')
    openRequest.result.createObjectStore('log', { autoIncrement: true })
  }
  const database = await new Promise<IDBDatabase>((resolve) => {
    openRequest.onsuccess = () => resolve(openRequest.result)
  })
  const transaction = database.transaction(['orders', 'bytes', 'log'], 'readwrite')
  transaction.objectStore('orders').add({ shop: 'a', number: 7, tags: ['x', 'y'], at: new Date(5) })
  transaction.objectStore('bytes').add(Uint8Array.of(0, 127, 128, 255), 'typed')
  transaction.objectStore('bytes').add(Uint8Array.of(9, 8).buffer, Uint8Array.of(1, 2))
  transaction.objectStore('bytes').add(new Map([['key', 12n]]), ['list', 3])
  transaction.objectStore('log').add({ nested: { list: [1, null, 'two'] } })
  await new Promise((resolve) => {
    transaction.oncomplete = resolve
  })
  database.close()
}

/** Returns the storage of the origin in a comparable form. */
async function readStorage() {
  const openRequest = indexedDB.open('shop')
  const database = await new Promise<IDBDatabase>((resolve) => {
    openRequest.onsuccess = () => resolve(openRequest.result)
  })
  if (database.objectStoreNames.length === 0) return { theme: localStorage.getItem('theme') }
  const transaction = database.transaction(['orders', 'bytes', 'log'])
  const toPromise = <Value>(request: IDBRequest<Value>) =>
    new Promise<Value>((resolve) => {
      request.onsuccess = () => resolve(request.result)
    })
  const bytes = transaction.objectStore('bytes')
  const [typed, buffer, map] = await Promise.all([
    toPromise(bytes.get('typed')),
    toPromise(bytes.get(Uint8Array.of(1, 2))),
    toPromise(bytes.get(['list', 3])),
  ])
  const byTag = await toPromise(transaction.objectStore('orders').index('by tag').getAll('y'))
  const log = await toPromise(transaction.objectStore('log').getAll())
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

const expectedStorage = {
  theme: 'dark',
  version: 3,
  typed: ['Uint8Array', 0, 127, 128, 255],
  buffer: ['ArrayBuffer', 9, 8],
  map: '12',
  order: [['a', 7, 5]],
  log: '[{"nested":{"list":[1,null,"two"]}}]',
}

const scriptHeaders = { 'content-type': 'text/javascript' }
/** Controls every page of its origin and never responds to a request. */
const silentWorker = `
  onactivate = (event) => event.waitUntil(clients.claim())
  onfetch = (event) => event.respondWith(new Promise(() => undefined))`

describe.skipIf(chromiumPath === undefined)('the state of a browser', () => {
  let site: Site
  let secure: TlsSite
  const running: OpenBrowser[] = []
  beforeAll(async () => {
    site = await startSite({
      routes: { '/worker.js': ({ response }) => send(response, scriptHeaders, silentWorker) },
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

  /** Opens an origin in a new page and runs a function there. */
  async function runInOrigin<Result>(context: BrowserContext, url: string, work: () => Promise<Result>) {
    const tab = await context.newPage()
    await tab.goto(url)
    const result = await tab.evaluate(work)
    await tab.close()
    return result
  }

  const expires = Math.round(Date.now() / 1000) + 3600
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
    expires: index === 0 ? -1 : expires,
    ...cookie,
  }))

  it('is restored in another default context: cookies, local storage and databases of several origins', async () => {
    const first = await (await start()).connect()
    await restoreState(first, { cookies: [], origins: [] })
    await first.addCookies(cookies)
    const origins = [site.host('a.example'), site.host('c.example'), secure.host('b.example')]
    for (const origin of origins) await runInOrigin(first, `${origin}/pages/1`, fillStorage)
    const state = await readState(first)
    expect(state.origins.map(({ origin }) => origin).sort()).toEqual(origins.sort())

    const second = await (await start()).connect()
    await restoreState(second, JSON.parse(JSON.stringify(state)))
    for (const origin of origins)
      expect(await runInOrigin(second, `${origin}/pages/1`, readStorage)).toEqual(expectedStorage)
    const byName = (left: { name: string }, right: { name: string }) => left.name.localeCompare(right.name)
    const restored = await second.cookies()
    expect(restored.toSorted(byName)).toEqual(cookies.toSorted(byName))
    const tab = await second.newPage()
    await tab.goto(`${secure.host('b.example')}/cookies/read`)
    expect(await tab.textContent('p')).toContain('hidden=4')
  })

  it('keeps unvisited origins of a profile without requests to their sites', async () => {
    const context = await (await start()).connect()
    const state = stateOf(site.host('a.example'), site.host('unvisited.example'))
    await restoreState(context, state)
    const hits = site.requests.length
    expect(await readState(context)).toEqual(withDatabases(state))
    expect(site.requests).toHaveLength(hits)
  })

  it('replaces the existing state', async () => {
    const context = await (await start()).connect()
    await restoreState(context, stateOf(site.host('a.example')))
    await runInOrigin(context, `${site.host('a.example')}/pages/1`, fillStorage)
    await restoreState(context, stateOf(site.host('b.example')))
    expect(await readState(context)).toEqual(withDatabases(stateOf(site.host('b.example'))))
  })

  it('is read by a driver that connected later, from open pages and the known state', async () => {
    const browser = await start()
    const firstContext = await browser.connect()
    const known = stateOf(site.host('a.example'))
    await restoreState(firstContext, known)
    const tab = await firstContext.newPage()
    await tab.goto(`${site.host('open.example')}/pages/1`)
    await tab.evaluate(() => localStorage.setItem('key', 'value'))
    const secondContext = await browser.connect()
    const state = await readState(secondContext, { known })
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
    const state = await readState(context, { baseTimeoutMs: 3000 })
    expect(state.origins.map(({ origin }) => origin).sort()).toEqual([
      site.host('a.example'),
      site.host('hangs.example'),
    ])
  })

  it('is read although a service worker never responds for its site', async () => {
    const context = await (await start()).connect()
    // Service workers need a secure origin, such as loopback.
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

  it.each(['default', 'separate'])('is not read from a %s context if it is too large', async (kind) => {
    const context = await (await start()).connect()
    const own = kind === 'separate' ? await context.browser()?.newContext() : undefined
    const filling = own ?? context
    await restoreState(filling, stateOf(site.host('a.example')))
    await runInOrigin(filling, `${site.host('large.example')}/pages/1`, async () => {
      const openRequest = indexedDB.open('large')
      openRequest.onupgradeneeded = () => {
        const bytes = new Uint8Array(2_000_000).map(() => Math.random() * 256)
        openRequest.result.createObjectStore('bytes').add(bytes, 1)
      }
      await new Promise((resolve) => {
        openRequest.onsuccess = resolve
      })
    })
    await expect(readState(filling, { maxBytes: 1_000_000 })).rejects.toMatchObject({
      code: 'PROFILE_TOO_LARGE',
    })
    expect(await readState(filling)).toMatchObject({ origins: { length: 2 } })
    await own?.close()
  })

  it('is read without databases if one of them cannot be read, with a loss message', async () => {
    const context = await (await start()).connect()
    await restoreState(context, stateOf(site.host('a.example')))
    await runInOrigin(context, `${site.host('b.example')}/pages/1`, async () => {
      localStorage.setItem('key', 'value')
      await new Promise((resolve) => {
        indexedDB.open('').onsuccess = resolve
      })
    })
    const losses: string[] = []
    const state = await readState(context, { onLoss: (message) => losses.push(message) })
    expect(state).toEqual(stateOf(site.host('a.example'), site.host('b.example')))
    expect(losses).toEqual([expect.stringContaining('IndexedDB')])
  })

  it('is restored without the cookies and databases that the browser rejects, with loss messages', async () => {
    const first = await (await start()).connect()
    await restoreState(first, stateOf(site.host('a.example')))
    await runInOrigin(first, `${site.host('b.example')}/pages/1`, async () => {
      localStorage.setItem('key', 'value')
      const openRequest = indexedDB.open('files')
      openRequest.onupgradeneeded = () => {
        // The driver saves no files, and the rest of the entry has no key.
        const store = openRequest.result.createObjectStore('files', { keyPath: 'file.size' })
        store.add({ file: new File(['abc'], 'name') })
      }
      await new Promise((resolve) => {
        openRequest.onsuccess = resolve
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
    await restoreState(second, { ...state, cookies }, (message) => losses.push(message))
    expect(losses).toEqual([expect.stringContaining('IndexedDB'), expect.stringMatching(/^1 cookies/)])
    const restored = await readState(second)
    expect(restored.cookies.map(({ name }) => name)).toEqual(['good'])
    expect(restored.origins.map(({ origin }) => origin).sort()).toEqual([
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
