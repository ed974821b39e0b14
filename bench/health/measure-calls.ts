import { once } from 'node:events'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { consoleFolder, hasConsole } from '../../test/console.ts'
import { common } from '../../test/deployment.ts'
import { startHostileModel } from '../../test/servers/hostile-model.ts'
import { startService, temporaryFolder } from '../../test/service.ts'
import type { Figure } from '../figure.ts'
import type { Sample } from '../health-poll.ts'
import { plainCalls } from './plain-calls.ts'
import { createIds, withNewId } from './real-ids.ts'
import { endWork, type Row, sendCall, type Target } from './send-call.ts'
import { socketRows } from './sockets.ts'
import { callsOf, jsonCalls, sources, type WorstCall } from './worst-calls.ts'

const key = 'fc-bench-key'
const callTimeoutMs = 6000
/** Time for which background work of a call continues during the search for the worst call. */
const searchWorkMs = 300
/** Time for which the worst call is repeated: a p99 needs a few hundred samples. */
const windowMs = 3000
/** Default of `MAX_UPLOAD_MB`. */
const uploadBytes = 50 * 1024 * 1024

type TakeSamples = () => Promise<Sample[]>

/**
 * Measures the liveness check during the worst calls of every route. Each call of a route is sent once; the call during
 * which the main thread worked longest is repeated and measured. `only` is a substring of the measured routes.
 */
export async function measureCalls(
  only: string,
  createFigure: (name: string, samples: Sample[]) => Figure,
): Promise<Figure[]> {
  const folder = temporaryFolder()
  const model = await startHostileModel()
  const site = new Worker(new URL('./call-site.ts', import.meta.url))
  const [siteUrl] = await once(site, 'message')
  const service = await startService({
    ...common,
    ...(hasConsole ? { CONSOLE_PATH: consoleFolder } : {}),
    DATA_DIR: folder.path,
    API_KEY: key,
    CHECK_RESPONSES: 'off',
    MODEL_URL: model.url,
    MODEL_KEY: 'none',
    MODEL_NAME: 'hostile',
    LOG_LEVEL: 'error',
  })
  // Blocking is measured and printed here, so it must not fail the run.
  service.mayBlockMainThread = true
  const poller = new Worker(new URL('../health-poll.ts', import.meta.url), {
    workerData: { url: service.url, pid: service.process.pid },
  })
  const takeSamples: TakeSamples = async () => {
    poller.postMessage('take')
    const [samples] = await once(poller, 'message')
    return samples
  }
  const figures: Figure[] = []
  try {
    // This reply fits every request, so that agents end.
    model.answer('broken usage')
    const target = await createIds({ url: service.url, key, site: siteUrl, ids: {} })
    await sleep(windowMs)
    await takeSamples()
    figures.push(createFigure('quiet', await sleep(windowMs).then(takeSamples)))
    for (const rows of createGroups(siteUrl, only, model)) {
      const worst = await findWorst(rows, target, takeSamples)
      if (!worst) continue
      await takeSamples()
      const outcome = await repeat(worst, target)
      figures.push(createFigure(`${worst.name} (${outcome})`, await takeSamples()))
    }
    for (const line of service
      .output()
      .split('\n')
      .filter((text) => text.includes('EVENT_LOOP_BLOCKED')))
      console.error(line.slice(0, 1500))
  } finally {
    await poller.terminate()
    await service.stop()
    await site.terminate()
    await model.stop()
    folder.remove()
  }
  return figures
}

/** Number of calls that are sent a second time, because other load on the machine can increase a measurement. */
const repeatCount = 4

/** Returns the call of a route during which the main thread worked longest before a health check was answered. */
async function findWorst(
  rows: readonly Row[],
  target: Target,
  takeSamples: TakeSamples,
): Promise<Row | undefined> {
  const measured: { row: Row; ms: number }[] = []
  for (const row of rows.length > 1 ? rows : [])
    measured.push({ row, ms: await measureWork(row, target, takeSamples) })
  const worst = measured.toSorted(byWork).slice(0, repeatCount)
  for (const entry of worst) entry.ms = Math.min(entry.ms, await measureWork(entry.row, target, takeSamples))
  return worst.toSorted(byWork)[0]?.row ?? rows[0]
}

const byWork = (left: { ms: number }, right: { ms: number }) => right.ms - left.ms

async function measureWork(row: Row, target: Target, takeSamples: TakeSamples): Promise<number> {
  await sleep(50)
  await takeSamples()
  await row.run(target, searchWorkMs)
  return Math.max(...(await takeSamples()).map(({ workedMs }) => workedMs))
}

async function repeat({ run }: Row, target: Target): Promise<string> {
  const outcomes = new Set<string>()
  const startedAt = performance.now()
  do outcomes.add(await run(target, windowMs))
  while (performance.now() - startedAt < windowMs)
  return [...outcomes].join(', ')
}

type Model = Awaited<ReturnType<typeof startHostileModel>>

/** Yields the calls of each route, then the calls that are not derived from a schema. */
function* createGroups(siteUrl: string, only: string, model: Model): Generator<Row[]> {
  const isRequested = (name: string) => name.toLowerCase().includes(only.toLowerCase())
  for (const source of sources)
    if (isRequested(source.route)) yield toRows(source.route, callsOf(source, siteUrl))
  const plainByRoute = Map.groupBy(
    plainCalls,
    ({ method, path }) => `${method} ${path.replace(/^\/docs\b.*/, '/docs')}`,
  )
  const otherGroups = [
    ...[...plainByRoute].map(([route, calls]) => toRows(route, calls)),
    ...socketRows,
    toRows('JSON', jsonCalls()),
    modelRows(siteUrl, model),
    [slowBodies],
    [manyStreams],
    [largeUpload],
  ]
  for (const rows of otherGroups) if (rows.some(({ name }) => isRequested(name))) yield rows
}

function toRows(route: string, calls: WorstCall[]): Row[] {
  return calls.map((call) => ({
    name: `${route}: ${call.label}`,
    async run(known, workMs) {
      // A call that ends a resource needs a new resource each time.
      const isEnded = call.method === 'DELETE' || call.path.endsWith('{id}/interact')
      const target = isEnded ? await withNewId(known, call.path) : known
      const { outcome } = await sendCall(target, call, callTimeoutMs)
      await endWork(target, call, workMs)
      return outcome
    },
  }))
}

/** Returns calls with large or deep replies of the language model, for the formats that check them. */
function modelRows(siteUrl: string, model: Model): Row[] {
  const replies = [
    'seven megabytes of words',
    'deep JSON in words',
    'a deep body',
    'thousands of calls with one id',
  ]
  const schema = { type: 'object', properties: { title: { type: 'string' } } }
  const post = (path: string, body: unknown): WorstCall => ({ method: 'POST', path, label: path, body })
  const calls = [
    post('/v2/scrape', {
      url: siteUrl,
      maxAge: 0,
      formats: ['summary', { type: 'json', schema, prompt: 'All.' }],
    }),
    post('/v2/extract', { urls: [siteUrl], schema, prompt: 'All.' }),
    post('/v2/agent', { urls: [siteUrl], prompt: 'All titles.' }),
  ]
  return replies.flatMap((reply) =>
    toRows(`model: ${reply}`, calls).map(({ name, run }) => ({
      name,
      run(target: Target, workMs: number) {
        model.answer(reply)
        return run(target, workMs)
      },
    })),
  )
}

/** Sends many bodies one byte at a time. */
const slowBodies: Row = {
  name: 'slow bodies: 200 at once',
  async run({ url, key: bearer }) {
    const headers = {
      authorization: `Bearer ${bearer}`,
      'content-type': 'application/json',
      'content-length': '9000000',
    }
    const open = Array.from({ length: 200 }, () => {
      const call = request(`${url}/v2/scrape`, { method: 'POST', headers })
      call.on('error', () => {})
      const timer = setInterval(() => call.write('{'), 20)
      call.on('close', () => clearInterval(timer))
      return call
    })
    await sleep(3000)
    for (const call of open) call.destroy()
    return 'left after 3 s'
  },
}

/** Uploads a file of maximum size, which is parsed as a page. */
const largeUpload: Row = {
  name: 'largest upload of POST /v2/parse',
  async run({ url, key: bearer }) {
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(uploadBytes).fill(0x61)]), 'large.txt')
    const response = await fetch(`${url}/v2/parse`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}` },
      body: form,
    })
    const { code = '' } = (await response.json()) as { code?: string }
    return `${response.status} ${code}`.trim()
  },
}

/** Opens more event streams than are accepted. */
const manyStreams: Row = {
  name: 'event streams: 300 at once',
  async run({ url, key: bearer, ids }) {
    const paths = ['/v2/team/events', `/v2/crawl/${ids.crawl}/events`]
    const disconnect = new AbortController()
    const statuses = new Set<number>()
    for (let count = 0; count < 300; count += 1)
      fetch(url + paths[count % 2], {
        headers: { authorization: `Bearer ${bearer}` },
        signal: disconnect.signal,
      }).then(
        ({ status }) => statuses.add(status),
        () => undefined,
      )
    await sleep(3000)
    disconnect.abort()
    return [...statuses].join(', ')
  },
}
