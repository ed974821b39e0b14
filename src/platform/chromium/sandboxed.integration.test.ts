import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { findChromium } from '../../../test/servers/proxy-browser.ts'
import { type Site, startSite } from '../../../test/site/site.ts'
import { createEgress, type Egress } from '../../fetch/network/egress/egress.ts'
import { createGuard } from '../../fetch/network/guard.ts'
import { readAddressRule } from '../address-rule.ts'
import { childrenOf, processTree } from '../child/processes.ts'
import { silentLog } from '../log.ts'
import type { SandboxedBrowser } from '../ports/chromium.ts'
import { createBubblewrapSandbox } from '../sandbox/bubblewrap.ts'
import { createSandboxedChromium } from './sandboxed.ts'

const sandbox = createBubblewrapSandbox('/usr/bin/bwrap', { node: process.execPath, hidden: [] })
const chromium = createSandboxedChromium(findChromium() ?? '', { sandbox, log: silentLog })
const browsers: SandboxedBrowser[] = []
let site: Site
let forbiddenSite: Site
let egress: Egress

beforeAll(async () => {
  site = await startSite()
  forbiddenSite = await startSite()
  const rule = readAddressRule(new URL(site.url).host)
  egress = createEgress({ guard: createGuard(rule ? [rule] : []), log: silentLog })
})
afterEach(async () => {
  for (const browser of browsers.splice(0)) await browser.kill()
})
afterAll(async () => {
  await egress.close()
  await site.stop()
  await forbiddenSite.stop()
})

async function launch() {
  const { connect } = await egress.exit({ team: '', upstream: undefined })
  const browser = await chromium.launch(connect)
  browsers.push(browser)
  return { browser, send: createSender(browser) }
}

type Send = (method: string, params?: object, sessionId?: string) => Promise<Record<string, unknown>>

/** Creates a minimal client of the DevTools protocol. */
function createSender({ toBrowser, fromBrowser }: SandboxedBrowser): Send {
  const pending = new Map<number, (reply: Record<string, unknown>) => void>()
  let buffer = ''
  fromBrowser.on('data', (chunk) => {
    const messages = (buffer + chunk).split('\0')
    buffer = messages.pop() ?? ''
    for (const { id, result, error } of messages.map((message) => JSON.parse(message))) {
      pending.get(id)?.(result ?? { error })
    }
  })
  let lastId = 0
  return (method, params = {}, sessionId) =>
    new Promise((resolve) => {
      lastId += 1
      pending.set(lastId, resolve)
      toBrowser.write(`${JSON.stringify({ id: lastId, method, params, sessionId })}\0`)
    })
}

/** Opens a page and returns the value of an expression there. */
async function evaluate(send: Send, url: string, expression: string): Promise<unknown> {
  const { targetId } = await send('Target.createTarget', { url: 'about:blank' })
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true })
  await send('Page.navigate', { url }, String(sessionId))
  const wait = 'new Promise(done => document.readyState === "complete" ? done() : onload = done)'
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const { result } = await send(
      'Runtime.evaluate',
      { expression: `${wait}.then(() => ${expression})`, awaitPromise: true, returnByValue: true },
      String(sessionId),
    )
    const value = (result as { value?: unknown } | undefined)?.value
    if (value !== undefined && value !== 'about:blank') return value
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('The page did not answer.')
}

describe('sandboxedChromium', () => {
  it('connects to allowed sites through the egress, and to no other address', async () => {
    const { send } = await launch()
    expect(await evaluate(send, `${site.url}/article`, 'document.querySelector("h1").textContent')).not.toBe(
      '',
    )
    const requests = `Promise.allSettled([fetch('${forbiddenSite.url}/article', {mode: 'no-cors'}), fetch('http://127.0.0.1:3128/', {mode: 'no-cors'})]).then(all => all.length)`
    await evaluate(send, `${site.url}/article`, requests)
    expect(forbiddenSite.requests).toEqual([])
  })

  it('lists no files of this machine', async () => {
    const { send } = await launch()
    const listing = await evaluate(send, 'file:///', 'document.body.innerText')
    for (const name of ['root', 'home', 'work', 'var'])
      expect(String(listing)).not.toMatch(new RegExp(`^${name}/`, 'm'))
  })

  it('sends the user agent of a browser with a window', async () => {
    const { send } = await launch()
    expect(await evaluate(send, `${site.url}/article`, 'navigator.userAgent')).not.toContain('Headless')
  })

  it('runs its renderers in its own sandbox', async () => {
    const { send } = await launch()
    await evaluate(send, `${site.url}/article`, '1')
    const renderers = processTree(process.pid).filter((pid) => readCommand(pid).includes('--type=renderer'))
    expect(renderers.length).toBeGreaterThan(0)
    for (const pid of renderers)
      expect(readFileSync(`/proc/${pid}/status`, 'utf8')).toMatch(/^Seccomp:\s+2$/m)
  })

  it('leaves no process after kill', async () => {
    const before = childrenOf(process.pid).length
    const { browser } = await launch()
    await browser.kill()
    await browser.ended
    expect(childrenOf(process.pid).length).toBe(before)
  })
})

function readCommand(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
