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
import { makeIds, withNewId } from './real-ids.ts'
import { endWork, type Row, sendCall, type Target } from './send-call.ts'
import { socketRows } from './sockets.ts'
import { callsOf, jsonCalls, sources, type WorstCall } from './worst-calls.ts'

const key = 'fc-bench-key'
const callLimitMs = 6000
/** How long work that a call has started goes on while the worst call is looked for. */
const searchWorkMs = 300
/** So long is the worst call repeated: a p99 needs some hundred answers. */
const windowMs = 3000
/** `MAX_UPLOAD_MB` as it is by default. */
const uploadBytes = 50 * 1024 * 1024

type Take = () => Promise<Sample[]>

/**
 * Health beside the worst calls of every route: each call of a route is sent once, and the one beside which the service worked longest is
 * repeated and measured. `only` names a part of the routes that are wanted.
 */
export async function measureCalls(
  only: string,
  figureOf: (name: string, samples: Sample[]) => Figure,
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
  // What is blocked is measured here, and printed.
  service.mayBlockMainThread = true
  const poller = new Worker(new URL('../health-poll.ts', import.meta.url), {
    workerData: { url: service.url, pid: service.process.pid },
  })
  const take: Take = async () => {
    poller.postMessage('take')
    const [samples] = await once(poller, 'message')
    return samples
  }
  const figures: Figure[] = []
  try {
    // It fits what it is asked for, so that agents come to an end.
    model.answer('broken usage')
    const target = await makeIds({ url: service.url, key, site: siteUrl, ids: {} })
    await sleep(windowMs)
    await take()
    figures.push(figureOf('quiet', await sleep(windowMs).then(take)))
    for (const rows of groupsOf(siteUrl, only, model)) {
      const worst = await findWorst(rows, target, take)
      if (!worst) continue
      await take()
      const outcome = await repeat(worst, target)
      figures.push(figureOf(`${worst.name} (${outcome})`, await take()))
    }
    for (const line of service
      .output()
      .split('\n')
      .filter((one) => one.includes('EVENT_LOOP_BLOCKED')))
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

/** Calls that are sent a second time: other work on the machine makes one of them look worse than it is. */
const secondLooks = 4

/** The call beside which the main thread worked longest before health was answered, of those of one route. */
async function findWorst(rows: readonly Row[], target: Target, take: Take): Promise<Row | undefined> {
  const measured: { row: Row; ms: number }[] = []
  for (const row of rows.length > 1 ? rows : [])
    measured.push({ row, ms: await workBeside(row, target, take) })
  const worst = measured.toSorted(byWork).slice(0, secondLooks)
  for (const one of worst) one.ms = Math.min(one.ms, await workBeside(one.row, target, take))
  return worst.toSorted(byWork)[0]?.row ?? rows[0]
}

const byWork = (one: { ms: number }, other: { ms: number }) => other.ms - one.ms

async function workBeside(row: Row, target: Target, take: Take): Promise<number> {
  await sleep(50)
  await take()
  await row.run(target, searchWorkMs)
  return Math.max(...(await take()).map(({ workedMs }) => workedMs))
}

async function repeat({ run }: Row, target: Target): Promise<string> {
  const outcomes = new Set<string>()
  const began = performance.now()
  do outcomes.add(await run(target, windowMs))
  while (performance.now() - began < windowMs)
  return [...outcomes].join(', ')
}

type Model = Awaited<ReturnType<typeof startHostileModel>>

/** The calls of each route, then those that are not made from a schema. */
function* groupsOf(siteUrl: string, only: string, model: Model): Generator<Row[]> {
  const isWanted = (name: string) => name.toLowerCase().includes(only.toLowerCase())
  for (const source of sources)
    if (isWanted(source.route)) yield inRows(source.route, callsOf(source, siteUrl))
  const plain = Map.groupBy(
    plainCalls,
    ({ method, path }) => `${method} ${path.replace(/^\/docs\b.*/, '/docs')}`,
  )
  const others = [
    ...[...plain].map(([route, calls]) => inRows(route, calls)),
    ...socketRows,
    inRows('JSON', jsonCalls()),
    modelRows(siteUrl, model),
    [slowBodies],
    [manyStreams],
    [largeUpload],
  ]
  for (const rows of others) if (rows.some(({ name }) => isWanted(name))) yield rows
}

function inRows(route: string, calls: WorstCall[]): Row[] {
  return calls.map((call) => ({
    name: `${route}: ${call.what}`,
    async run(known, workMs) {
      // What a call ends is not there for the next one.
      const isEnded = call.method === 'DELETE' || call.path.endsWith('{id}/interact')
      const target = isEnded ? await withNewId(known, call.path) : known
      const { outcome } = await sendCall(target, call, callLimitMs)
      await endWork(target, call, workMs)
      return outcome
    },
  }))
}

/** Answers of the language model that are large or deep, for the formats that check them. */
function modelRows(siteUrl: string, model: Model): Row[] {
  const answers = [
    'seven megabytes of words',
    'deep JSON in words',
    'a deep body',
    'thousands of calls with one id',
  ]
  const schema = { type: 'object', properties: { title: { type: 'string' } } }
  const post = (path: string, body: unknown): WorstCall => ({ method: 'POST', path, what: path, body })
  const calls = [
    post('/v2/scrape', {
      url: siteUrl,
      maxAge: 0,
      formats: ['summary', { type: 'json', schema, prompt: 'All.' }],
    }),
    post('/v2/extract', { urls: [siteUrl], schema, prompt: 'All.' }),
    post('/v2/agent', { urls: [siteUrl], prompt: 'All titles.' }),
  ]
  return answers.flatMap((answer) =>
    inRows(`model: ${answer}`, calls).map(({ name, run }) => ({
      name,
      run(target: Target, workMs: number) {
        model.answer(answer)
        return run(target, workMs)
      },
    })),
  )
}

/** Many bodies that come a byte at a time. */
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

/** A file as large as one may be, which has to be read as a page. */
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

/** As many event streams as are let in, and more. */
const manyStreams: Row = {
  name: 'event streams: 300 at once',
  async run({ url, key: bearer, ids }) {
    const paths = ['/v2/team/events', `/v2/crawl/${ids.crawl}/events`]
    const gone = new AbortController()
    const statuses = new Set<number>()
    for (let count = 0; count < 300; count += 1)
      fetch(url + paths[count % 2], {
        headers: { authorization: `Bearer ${bearer}` },
        signal: gone.signal,
      }).then(
        ({ status }) => statuses.add(status),
        () => undefined,
      )
    await sleep(3000)
    gone.abort()
    return [...statuses].join(', ')
  },
}
