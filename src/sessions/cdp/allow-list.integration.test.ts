import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PipeBrowser, startPipeBrowser } from '../../../test/servers/pipe-browser.ts'
import { findChromium } from '../../../test/servers/proxy-browser.ts'
import { type RawClient, rawClient } from '../../../test/servers/raw-client.ts'
import { allowedMethods, checkMessage, toAllowedUrl } from './allow-list.ts'

const rejectedCalls: [string, object, RegExp][] = [
  ['Target.sendMessageToTarget', { sessionId: 'x', message: '{}' }, /flat/],
  ['Target.attachToTarget', { targetId: 'x' }, /flat/],
  ['Target.attachToTarget', { targetId: 'x', flatten: 'true' }, /flat/],
  ['Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false }, /flat/],
  ['Target.createBrowserContext', { proxyServer: 'direct://' }, /proxy/],
  ['Target.createBrowserContext', { proxyBypassList: '*' }, /proxy/],
  ['Target.createBrowserContext', { originsWithUniversalNetworkAccess: ['https://a.example'] }, /proxy/],
  ['Target.exposeDevToolsProtocol', { targetId: 'x' }, /protocol/],
  ['Target.setRemoteLocations', { locations: [] }, /other browsers/],
  ['DOM.setFileInputFiles', { files: ['/etc/passwd'] }, /sandbox/],
  ['Input.dispatchDragEvent', { data: { items: [], files: ['/etc/passwd'] } }, /sandbox/],
  ['IO.read', { handle: 'blob:1234' }, /streams/],
  ['Browser.getBrowserCommandLine', {}, /not disclosed/],
  ['Browser.crash', {}, /close the session/],
  ['Browser.crashGpuProcess', {}, /close the session/],
  ['Extensions.loadUnpacked', { path: '/tmp' }, /extensions/],
  ['Tracing.start', {}, /traces/],
  ['Tracing.requestMemoryDump', {}, /traces/],
  ['Memory.getBrowserSamplingProfile', {}, /memory/],
  ['HeapProfiler.startTrackingHeapObjects', {}, /memory/],
  ['SystemInfo.getProcessInfo', {}, /machine/],
  ['Tethering.bind', { port: 1 }, /ports/],
  ['Nothing.known', {}, /not on the list/],
  ['constructor', {}, /not on the list/],
  ...['Page.navigate', 'Target.createTarget', 'Network.loadNetworkResource', 'Fetch.continueRequest'].flatMap(
    (method) =>
      ['file:///etc/passwd', ' FILE:///etc', 'chrome://version', 'about:version'].map(
        (url): [string, object, RegExp] => [method, { url }, /only http/],
      ),
  ),
]

describe('checkMessage and toAllowedUrl', () => {
  it.each([
    'file:///etc/passwd',
    'FILE:/etc',
    '\tfi\nle:///etc/passwd',
    'chrome://version',
    'chrome-untrusted://x',
    'devtools://devtools/bundled/inspector.html',
    'view-source:https://a.example',
    'about:version',
    'javascript:1',
    'filesystem:https://a.example/temporary/a',
    'a.example',
    '',
    7,
    undefined,
  ])('rejects the URL %j', (url) => {
    expect(toAllowedUrl(url)).toBeUndefined()
  })

  it.each([
    ['about:blank', 'about:blank'],
    ['https://a.example', 'https://a.example/'],
    ['data:text/html,<p>', 'data:text/html,<p>'],
    ['blob:https://a.example/1', 'blob:https://a.example/1'],
  ])('allows the URL %s', (url, expected) => {
    expect(toAllowedUrl(url)).toBe(expected)
  })

  it('denies downloads if a client enables them', () => {
    const params = { behavior: 'allow', downloadPath: '/tmp', eventsEnabled: true, browserContextId: 'A' }
    expect(checkMessage('Browser.setDownloadBehavior', params)).toEqual({
      kind: 'pass',
      params: { behavior: 'deny', eventsEnabled: true, browserContextId: 'A' },
    })
    expect(checkMessage('Page.setDownloadBehavior', params)).toEqual({
      kind: 'pass',
      params: { behavior: 'deny' },
    })
  })

  it('lists only methods of the DevTools protocol', () => {
    const requireFromPuppeteer = createRequire(createRequire(import.meta.url).resolve('puppeteer-core'))
    const protocolMethods = ['browser_protocol', 'js_protocol'].flatMap((name) => {
      const text = readFileSync(requireFromPuppeteer.resolve(`devtools-protocol/json/${name}.json`), 'utf8')
      const { domains } = JSON.parse(text) as { domains: { domain: string; commands: { name: string }[] }[] }
      return domains.flatMap(({ domain, commands }) => commands.map((command) => `${domain}.${command.name}`))
    })
    expect([...allowedMethods()].filter((method) => !protocolMethods.includes(method))).toEqual([])
  })
})

describe.skipIf(findChromium() === undefined)('a guest of a real browser', () => {
  let browser: PipeBrowser
  let raw: RawClient
  let page = ''
  beforeAll(async () => {
    browser = startPipeBrowser()
    raw = await rawClient(browser.cdp)
    const { result } = await raw.ask('Target.createTarget', { url: 'about:blank' })
    page = (await raw.ask('Target.attachToTarget', { ...result, flatten: true })).result.sessionId
  })
  afterAll(() => browser.stop())

  it.each(rejectedCalls)('gets an error for %s with %j', async (method, params, reason) => {
    const { error, id } = await raw.ask(method, params, page)
    expect(error).toEqual({ code: -32000, message: expect.stringMatching(reason) })
    expect(error?.message).toContain(`${method} is refused`)
    expect(id).toBeGreaterThan(0)
  })

  it('gets no download after it enabled downloads', async () => {
    const downloadParams = { behavior: 'allow', downloadPath: '/tmp', eventsEnabled: true }
    expect((await raw.ask('Browser.setDownloadBehavior', downloadParams)).result).toEqual({})
    const expression = `const a = document.createElement('a'); a.download = 'x.txt'
      a.href = URL.createObjectURL(new Blob(['x'])); document.body.append(a); a.click()`
    await raw.ask('Runtime.evaluate', { expression, userGesture: true }, page)
    const { params } = await raw.event(
      ({ method, params }) => method === 'Browser.downloadProgress' && params.state !== 'inProgress',
    )
    expect(params.state).toBe('canceled')
  })

  it('can create contexts without a proxy', async () => {
    const { result } = await raw.ask('Target.createBrowserContext', { disposeOnDetach: true })
    const created = await raw.ask('Target.createTarget', { url: 'about:blank', ...result })
    expect(created.result.targetId).toMatch(/\w+/)
  })

  it('is denied methods that the service can call', async () => {
    const service = await rawClient(browser.cdp, { kind: 'service' })
    expect((await service.ask('SystemInfo.getProcessInfo')).result.processInfo).not.toEqual([])
  })
})
