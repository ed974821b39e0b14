import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { call } from '../api.ts'
import { winnow } from '../cli.ts'
import { cutBefore, type Fault, startFaultyProxy } from '../servers/faulty-proxy.ts'
import { temporaryFolder } from '../service.ts'
import { page, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'
import { winnowInTerminal } from '../terminal.ts'

const count = 40
let site: Site
const folder = temporaryFolder()
/** Resolves when a test releases the pages with a number above half of `count`. */
let released: Promise<void>
let release: () => void

beforeAll(async () => {
  ;({ promise: released, resolve: release } = Promise.withResolvers<void>())
  site = await startSite({
    routes: {
      '/held': (exchange) => sendHtml(exchange, page('Start', links('/held'))),
      '/held/:number': async (exchange) => {
        if (Number(exchange.params.number) > count / 2) await released
        sendHtml(exchange, page(`Page ${exchange.params.number}`, '<p>Some text of a page.</p>'))
      },
      '/slow': (exchange) => sendHtml(exchange, page('Start', links('/slow'))),
      '/slow/:number': async (exchange) => {
        await Promise.race([
          sleep(30_000),
          new Promise((resolve) => exchange.signal.addEventListener('abort', resolve)),
        ])
        sendHtml(exchange, page('Slow', '<p>Late.</p>'))
      },
      '/styled': (exchange) =>
        sendHtml(exchange, page('Styled', '<p>Some <b>bold</b> text and \u001b]0;owned\u0007.</p>')),
    },
  })
})
afterAll(async () => {
  release()
  await site.stop()
  folder.remove()
})

const links = (path: string) =>
  Array.from(
    { length: count - 1 },
    (_, index) => `<a href="${path}/${index + 1}">Page ${index + 1}</a>`,
  ).join(' ')

it('shows progress, leaves a crawl running after Ctrl-C, and resumes without writing pages twice', async () => {
  const out = join(folder.path, 'held')
  const terminal = winnowInTerminal(['crawl', `${site.url}/held`, '--output', out, '--concurrency', '50'])
  await terminal.waitFor(/█+░+ \d+\/40 pages · [\d.]+ pages\/s · \d+ s left · 0 errors/)
  const host = join(out, `127.0.0.1-${site.port}`)
  await expect.poll(() => readdirSync(join(host, 'held')).length, { interval: 50 }).toBeGreaterThan(5)
  terminal.press('\u0003')
  expect(await terminal.ended).toBe(130)
  const [, id = ''] = /winnow watch (\S+) --output/.exec(terminal.shown()) ?? []
  expect((await call('GET', `/v2/crawl/${id}`)).body.status).toBe('scraping')
  const first = join(host, 'held', '1.md')
  const { mtimeMs, ino } = statSync(first)
  const writtenBefore = readdirSync(join(host, 'held')).length
  release()
  const { code, stderr } = await winnow(['watch', id, '--output', out])
  expect(code).toBe(0)
  expect(stderr).toContain(`${writtenBefore + 1} were there`)
  expect(readdirSync(join(host, 'held'))).toHaveLength(count - 1)
  expect(statSync(first)).toMatchObject({ mtimeMs, ino })
  expect(readFileSync(first, 'utf8')).toContain('# Page 1')
})

it('cancels the crawl on Ctrl-C with --cancel-on-interrupt', async () => {
  const terminal = winnowInTerminal(['crawl', `${site.url}/slow`, '--cancel-on-interrupt'])
  await terminal.waitFor(/\d+\/\d+ pages/)
  terminal.press('\u0003')
  expect(await terminal.ended).toBe(130)
  const [, id = ''] = /winnow watch (\S+)/.exec(terminal.shown()) ?? []
  expect((await call('GET', `/v2/crawl/${id}`)).body.status).toBe('cancelled')
})

describe('a crawl that cannot be cancelled on Ctrl-C', () => {
  /** Starts a crawl through a proxy and presses Ctrl-C. The proxy responds to all later calls with this fault. */
  async function interruptedCrawl(fault: Fault) {
    const proxy = await startFaultyProxy(inject('deployment').urls[0] ?? '')
    const args = ['crawl', `${site.url}/slow`, '--cancel-on-interrupt']
    const terminal = winnowInTerminal(args, { WINNOW_URL: proxy.url })
    await terminal.waitFor(/\d+\/\d+ pages/)
    proxy.meet(...Array.from({ length: 50 }, () => fault))
    terminal.press('\u0003')
    const cancelPath = () => proxy.calls.find(({ method }) => method === 'DELETE')?.path
    await expect.poll(cancelPath).toMatch(/^\/v2\/crawl\//)
    const stop = async () => {
      await proxy.stop()
      expect((await call('DELETE', cancelPath() ?? '')).status).toBe(200)
    }
    return { terminal, stop }
  }

  it('ends immediately on a second Ctrl-C', async () => {
    const { terminal, stop } = await interruptedCrawl(() => undefined)
    await terminal.waitFor('Ctrl-C again ends this at once')
    terminal.press('\u0003')
    expect(await terminal.ended).toBe(130)
    await stop()
  })

  it('is reported, with the command that shows the crawl', async () => {
    const { terminal, stop } = await interruptedCrawl(cutBefore)
    expect(await terminal.ended).toBe(130)
    expect(terminal.shown()).toMatch(/The crawl was not cancelled: .+\s+Look at it with:\s+winnow watch \S+/)
    await stop()
  })
})

it('prints Markdown unchanged, with control characters of the page made visible', async () => {
  const terminal = winnowInTerminal(['scrape', `${site.url}/styled`])
  expect(await terminal.ended).toBe(0)
  const shown = terminal.shown()
  expect(shown).toContain('Some **bold** text')
  expect(shown).toContain('␛]0;owned␇')
  expect(shown).not.toContain('\u001b')
})
