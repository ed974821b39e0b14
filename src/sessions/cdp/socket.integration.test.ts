import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type PipeBrowser, startPipeBrowser } from '../../../test/servers/pipe-browser.ts'
import { findChromium } from '../../../test/servers/proxy-browser.ts'
import { rawClient } from '../../../test/servers/raw-client.ts'
import { until } from '../../../test/servers/until.ts'
import { createCdpConnections } from './socket.ts'

describe.skipIf(findChromium() === undefined)('createCdpConnections', () => {
  let browser: PipeBrowser
  let server: Server
  let host = ''
  beforeAll(async () => {
    browser = startPipeBrowser()
    server = createServer()
    server
      .removeAllListeners('connection')
      .on('connection', createCdpConnections(browser.cdp, { megabytes: 64 }))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    server.close()
    await browser.stop()
  })

  const get = (path: string) => fetch(`http://${host}${path}`)

  it('returns its version and its WebSocket URL', async () => {
    const version = (await (await get('/json/version')).json()) as Record<string, string>
    expect(version.Browser).toContain('Chrome/')
    expect(version.webSocketDebuggerUrl).toBe(`ws://${host}/devtools/browser`)
  })

  it('lists its pages, each with a WebSocket URL', async () => {
    const [page] = (await (await get('/json/list')).json()) as Record<string, string>[]
    expect(page).toMatchObject({ type: 'page', url: 'about:blank' })
    const socket = new WebSocket(page?.webSocketDebuggerUrl ?? '')
    await new Promise((resolve) => socket.on('open', resolve))
    socket.send(
      JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression: 'location.href' } }),
    )
    const response = await new Promise((resolve) => socket.on('message', resolve))
    expect(JSON.parse(String(response)).result.result.value).toBe('about:blank')
    socket.close()
  })

  it('returns 404 for other paths', async () => {
    expect((await get('/json/new')).status).toBe(404)
    expect((await get('/')).status).toBe(404)
  })

  it('handles messages that a client sends before it is connected', async () => {
    const socket = new WebSocket(`ws://${host}/anything`)
    socket.on('open', () => socket.send('{"id":1,"method":"Browser.getVersion"}'))
    const response = await new Promise((resolve) => socket.on('message', resolve))
    expect(JSON.parse(String(response)).result.product).toContain('Chrome/')
    socket.close()
  })

  it('resumes a page that waits for a client whose connection broke', async () => {
    const guest = new WebSocket(`ws://${host}/`)
    await new Promise((resolve) => guest.on('open', resolve))
    const autoAttachParams = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }
    guest.send(JSON.stringify({ id: 1, method: 'Target.setAutoAttach', params: autoAttachParams }))
    await waitForMessage(guest, '"id":1')
    const rootClient = await rawClient(browser.cdp)
    const attached = waitForMessage(guest, '"waitingForDebugger":true')
    const url = 'data:text/html,<title>opened</title>'
    const { result } = await rootClient.ask('Target.createTarget', { url })
    await attached
    guest.terminate()
    await until('the page opens', 20_000, async () => {
      const { targetInfo } = (await rootClient.ask('Target.getTargetInfo', result)).result
      return targetInfo.title === 'opened' || undefined
    })
    await rootClient.ask('Target.closeTarget', result)
  })

  it('disconnects a client that does not read', async () => {
    const rootClient = await rawClient(browser.cdp)
    const { result: created } = await rootClient.ask('Target.createTarget', { url: 'about:blank' })
    const isAttached = async (): Promise<boolean> =>
      (await rootClient.ask('Target.getTargetInfo', created)).result.targetInfo.attached
    const socket = new WebSocket(`ws://${host}/devtools/page/${created.targetId}`)
    await new Promise((resolve) => socket.on('open', resolve))
    await until('the guest is let in', 20_000, async () => (await isAttached()) || undefined)
    socket.pause()
    const params = { expression: "'x'.repeat(30_000_000)", returnByValue: true }
    for (let id = 1; id < 7; id += 1) socket.send(JSON.stringify({ id, method: 'Runtime.evaluate', params }))
    // The service has disconnected the client, so nothing of it is left in the browser.
    await until('the guest is dropped', 50_000, async () => !(await isAttached()) || undefined)
    socket.terminate()
    const { result: alive } = await rootClient.ask('Browser.getVersion')
    expect(alive.product).toContain('Chrome/')
  }, 80_000)
})

function waitForMessage(socket: WebSocket, text: string): Promise<void> {
  return new Promise((resolve) => {
    socket.on('message', (data) => {
      if (String(data).includes(text)) resolve()
    })
  })
}
