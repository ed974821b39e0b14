import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright-core'
import { WebSocket } from 'ws'
import { processTree, proportionalMegabytes } from '../src/platform/child/processes.ts'
import { startService, temporaryFolder } from '../test/service.ts'
import { page, sendHtml } from '../test/site/route.ts'
import { type Site, startSite } from '../test/site/site.ts'
import { atLeast, atMost, type Figure, figure, median } from './figure.ts'

const key = 'fc-bench-key'
const chromiumPath = process.env.CHROMIUM_PATH ?? '/usr/lib/chromium/chromium-headless-shell'
// Chromium rejects its own sandbox for root, except inside another sandbox.
const isOrdinaryUser = process.getuid?.() !== 0
const rounds = 7
const calls = 20
const browserCount = 20
const viewSeconds = 10

/** Measures browser sessions against a bare Chromium and a bare driver on the same machine. */
export async function measure(): Promise<Figure[]> {
  const folder = temporaryFolder()
  const site = await startSite({ routes: { '/moving': (exchange) => sendHtml(exchange, movingPage) } })
  const service = await startService({
    DATA_DIR: folder.path,
    API_KEY: key,
    CHROMIUM_PATH: chromiumPath,
    ALLOW_PRIVATE_NETWORK: '127.0.0.1',
    RATE_PER_MINUTE: '1000000',
    TEAM_BROWSERS: '40',
    ...getCodePrograms(),
    CHECK_RESPONSES: 'off',
    LOG_LEVEL: 'warn',
  })
  const api = createClient(service.url)
  try {
    return [
      ...(await measureStarts(api, site)),
      ...(await measureExecutes(api, site)),
      ...(await measureIdle(api, service.process.pid ?? 0)),
      ...(await measureViews(api, site, service.process.pid ?? 0)),
    ]
  } finally {
    await service.stop()
    await site.stop()
    folder.remove()
  }
}

/** Returns the paths of the installed programs for code. */
function getCodePrograms(): Record<string, string> {
  const prepared = fileURLToPath(new URL('../.prepared', import.meta.url))
  return {
    PYTHON_PATH: process.env.PYTHON_PATH ?? `${prepared}/python/bin/python3`,
    AGENT_BROWSER_PATH: process.env.AGENT_BROWSER_PATH ?? `${prepared}/agent-browser/agent-browser`,
  }
}

interface Session {
  id: string
  liveViewUrl: string
}

type Api = ReturnType<typeof createClient>

function createClient(base: string) {
  async function call(method: string, path: string, body?: object) {
    const response = await fetch(`${base}/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    if (response.status !== 200) throw new Error(text)
    return JSON.parse(text)
  }
  return {
    open: (): Promise<Session> => call('POST', '/browser', { ttl: 3600, activityTtl: 3600 }),
    close: (session: Session) => call('DELETE', `/browser/${session.id}`),
    async run(session: Session, language: string, code: string) {
      const response = await call('POST', `/browser/${session.id}/execute`, { language, code, timeout: 60 })
      if (response.exitCode !== 0) throw new Error(JSON.stringify(response))
      return response
    },
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

/** Measures the bare browser and the service alternately, so that other load on the machine affects both. */
async function measureStarts(api: Api, site: Site): Promise<Figure[]> {
  const bareTimes: number[] = []
  const sessionTimes: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const launched: { close(): Promise<unknown> }[] = []
    bareTimes.push(
      await timed(async () => {
        const browser = await chromium.launch({
          executablePath: chromiumPath,
          chromiumSandbox: isOrdinaryUser,
        })
        launched.push(browser)
        await (await browser.newPage()).goto(`${site.url}/article`)
      }),
    )
    for (const browser of launched) await browser.close()
    const opened: Session[] = []
    sessionTimes.push(await timed(async () => opened.push(await api.open())))
    for (const session of opened) await api.close(session)
  }
  return [
    figure('bare Chromium: launch and first page', median(bareTimes), 'ms'),
    figure('session: POST /v2/browser', median(sessionTimes), 'ms'),
    atMost(
      'time until a session is ready, against the bare browser',
      median(sessionTimes) / median(bareTimes),
      2,
      'times',
    ),
  ]
}

async function measureExecutes(api: Api, site: Site): Promise<Figure[]> {
  const browser = await chromium.launch({ executablePath: chromiumPath, chromiumSandbox: isOrdinaryUser })
  const tab = await browser.newPage()
  await tab.goto(`${site.url}/article`)
  const session = await api.open()
  const first = await timed(() => api.run(session, 'node', `await page.goto('${site.url}/article')`))
  const titleCalls: Record<string, () => Promise<unknown>> = {
    bare: () => tab.title(),
    node: () => api.run(session, 'node', 'await page.title()'),
    python: () => api.run(session, 'python', 'await page.title()'),
    bash: () => api.run(session, 'bash', 'agent-browser get title'),
  }
  const times: Record<string, number[]> = {}
  for (const runCall of Object.values(titleCalls)) await runCall()
  for (let round = 0; round < calls; round += 1) {
    for (const [name, runCall] of Object.entries(titleCalls)) {
      times[name] = [...(times[name] ?? []), await timed(runCall)]
    }
  }
  await browser.close()
  await api.close(session)
  const medianOf = (name: string) => median(times[name] ?? [])
  const bound = 3 * medianOf('bare') + 100
  return [
    figure('first execute of a session, with a page load', first, 'ms'),
    figure('bare page.title() over CDP', medianOf('bare'), 'ms'),
    ...['node', 'python', 'bash'].map((name) =>
      atMost(`execute of a title, ${name}, warm`, medianOf(name), Math.round(bound), 'ms'),
    ),
  ]
}

/** Measures equally many browsers and sessions, because browsers share the memory pages of their program. */
async function measureIdle(api: Api, pid: number): Promise<Figure[]> {
  const existing = new Set(descendants(process.pid))
  const browsers: Browser[] = []
  for (let count = 0; count < browserCount; count += 1) {
    const browser = await chromium.launch({ executablePath: chromiumPath, chromiumSandbox: isOrdinaryUser })
    browsers.push(browser)
    await browser.newPage()
  }
  await sleep(3000)
  const newBrowsers = descendants(process.pid).filter((child) => !existing.has(child))
  const bare = memoryOf(newBrowsers) / browserCount
  for (const browser of browsers) await browser.close()
  const before = memoryOf([pid, ...descendants(pid)])
  const sessions: Session[] = []
  for (let count = 0; count < browserCount; count += 1) sessions.push(await api.open())
  await sleep(3000)
  const each = (memoryOf([pid, ...descendants(pid)]) - before) / browserCount
  let usable = 0
  for (const session of sessions) {
    const { result } = await api.run(
      session,
      'node',
      "await page.setContent('<title>up</title>'); await page.title()",
    )
    if (result === 'up') usable += 1
  }
  for (const session of sessions) await api.close(session)
  return [
    figure(`memory of a bare idle Chromium with one page, of ${browserCount}`, bare, 'MB'),
    figure(`memory per idle session, of ${browserCount}, the service's share included`, each, 'MB'),
    atMost('memory per idle session against the bare browser', (each / bare) * 100, 130, '%'),
    atLeast('of these sessions usable', usable, browserCount, ''),
  ]
}

/** Measures the processor time that one viewer adds to the service and to the watched browser. */
async function measureViews(api: Api, site: Site, pid: number): Promise<Figure[]> {
  const session = await api.open()
  await api.run(session, 'node', `await page.goto('${site.url}/moving')`)
  const withoutViewer = await processorShare(pid)
  const view = new URL(session.liveViewUrl)
  const socket = new WebSocket(`${view.origin.replace('http', 'ws')}${view.pathname}${view.search}`)
  let frames = 0
  socket.on('message', (_, isBinary) => {
    if (isBinary) frames += 1
  })
  await sleep(2000)
  frames = 0
  const withViewer = await processorShare(pid)
  socket.close()
  await api.close(session)
  const [service, browser] = [
    withViewer.service - withoutViewer.service,
    withViewer.browser - withoutViewer.browser,
  ]
  return [
    figure('frames of a live view on a moving page', frames / viewSeconds, 'per s'),
    figure('what it adds to the service', service * 100, '% of a core'),
    figure('what it adds to the browser that is watched', browser * 100, '% of a core'),
    atMost('what it adds to both', (service + browser) * 100, 20, '% of a core'),
  ]
}

async function processorShare(pid: number): Promise<{ service: number; browser: number }> {
  const read = () => ({
    service: ticksOf(pid),
    browser: descendants(pid).reduce((sum, child) => sum + ticksOf(child), 0),
  })
  const before = read()
  await sleep(viewSeconds * 1000)
  const after = read()
  // A tick is a hundredth of a second on all common Linux systems.
  const share = (ticks: number) => ticks / 100 / viewSeconds
  return { service: share(after.service - before.service), browser: share(after.browser - before.browser) }
}

function ticksOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return Number(fields[11]) + Number(fields[12])
}

const descendants = (pid: number) => processTree(pid).slice(1)

const memoryOf = (pids: number[]) => pids.reduce((sum, pid) => sum + proportionalMegabytes(pid), 0)

const movingPage = page(
  'Moving',
  `<style>@keyframes go { to { transform: translateX(900px) rotate(360deg) } }
  div { width: 200px; height: 200px; background: linear-gradient(red, blue); animation: go 2s infinite alternate linear }</style>
  <div></div><p id="count"></p><script>setInterval(() => { document.querySelector('#count').textContent = Date.now() }, 50)</script>`,
)
