import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type PipeBrowser, startPipeBrowser } from '../../../test/servers/pipe-browser.ts'
import { findChromium } from '../../../test/servers/proxy-browser.ts'
import { rawClient } from '../../../test/servers/raw-client.ts'
import { until } from '../../../test/servers/until.ts'
import { createCdpConnections } from './socket.ts'

describe.skipIf(findChromium() === undefined)("the browser's addresses for guests", () => {
  let browser: PipeBrowser
  let door: Server
  let host = ''
  beforeAll(async () => {
    browser = startPipeBrowser()
    door = createServer()
    door
      .removeAllListeners('connection')
      .on('connection', createCdpConnections(browser.cdp, { megabytes: 64 }))
    await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
    host = `127.0.0.1:${(door.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    door.close()
    await browser.stop()
  })

  const get = (path: string) => fetch(`http://${host}${path}`)

  it('tells its version and where its socket is', async () => {
    const version = (await (await get('/json/version')).json()) as Record<string, string>
    expect(version.Browser).toContain('Chrome/')
    expect(version.webSocketDebuggerUrl).toBe(`ws://${host}/devtools/browser`)
  })

  it('lists its pages, each with a socket of its own', async () => {
    const [page] = (await (await get('/json/list')).json()) as Record<string, string>[]
    expect(page).toMatchObject({ type: 'page', url: 'about:blank' })
    const socket = new WebSocket(page?.webSocketDebuggerUrl ?? '')
    await new Promise((resolve) => socket.on('open', resolve))
    socket.send(
      JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression: 'location.href' } }),
    )
    const answer = await new Promise((resolve) => socket.on('message', resolve))
    expect(JSON.parse(String(answer)).result.result.value).toBe('about:blank')
    socket.close()
  })

  it('answers 404 to other addresses', async () => {
    expect((await get('/json/new')).status).toBe(404)
    expect((await get('/')).status).toBe(404)
  })

  it('takes what a guest sent before it had been let in', async () => {
    const socket = new WebSocket(`ws://${host}/anything`)
    socket.on('open', () => socket.send('{"id":1,"method":"Browser.getVersion"}'))
    const answer = await new Promise((resolve) => socket.on('message', resolve))
    expect(JSON.parse(String(answer)).result.product).toContain('Chrome/')
    socket.close()
  })

  it('lets a page go on that waited for a guest whose connection broke', async () => {
    const guest = new WebSocket(`ws://${host}/`)
    await new Promise((resolve) => guest.on('open', resolve))
    const waits = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }
    guest.send(JSON.stringify({ id: 1, method: 'Target.setAutoAttach', params: waits }))
    await heard(guest, '"id":1')
    const whole = await rawClient(browser.cdp)
    const waiting = heard(guest, '"waitingForDebugger":true')
    const url = 'data:text/html,<title>opened</title>'
    const { result } = await whole.ask('Target.createTarget', { url })
    await waiting
    guest.terminate()
    await until('the page opens', 20_000, async () => {
      const { targetInfo } = (await whole.ask('Target.getTargetInfo', result)).result
      return targetInfo.title === 'opened' || undefined
    })
    await whole.ask('Target.closeTarget', result)
  })

  it('drops a guest that does not read', async () => {
    const whole = await rawClient(browser.cdp)
    const { result: made } = await whole.ask('Target.createTarget', { url: 'about:blank' })
    const isHeld = async (): Promise<boolean> =>
      (await whole.ask('Target.getTargetInfo', made)).result.targetInfo.attached
    const socket = new WebSocket(`ws://${host}/devtools/page/${made.targetId}`)
    await new Promise((resolve) => socket.on('open', resolve))
    await until('the guest is let in', 20_000, async () => (await isHeld()) || undefined)
    socket.pause()
    const params = { expression: "'x'.repeat(30_000_000)", returnByValue: true }
    for (let id = 1; id < 7; id += 1) socket.send(JSON.stringify({ id, method: 'Runtime.evaluate', params }))
    // The service has let go of it by itself: nothing of it is left at the browser.
    await until('the guest is dropped', 50_000, async () => !(await isHeld()) || undefined)
    socket.terminate()
    const { result: alive } = await whole.ask('Browser.getVersion')
    expect(alive.product).toContain('Chrome/')
  }, 80_000)
})

function heard(socket: WebSocket, words: string): Promise<void> {
  return new Promise((resolve) => {
    socket.on('message', (text) => {
      if (String(text).includes(words)) resolve()
    })
  })
}
