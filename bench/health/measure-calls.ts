import { once } from 'node:events'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { common } from '../../test/deployment.ts'
import { startHostileModel } from '../../test/servers/hostile-model.ts'
import { startService, temporaryFolder } from '../../test/service.ts'
import type { Figure } from '../figure.ts'
import { endWork, sendCall, type Target } from './send-call.ts'
import { callsOf, jsonCalls, sources, type WorstCall } from './worst-calls.ts'

const key = 'fc-bench-key'
const callLimitMs = 8000
const leastWindowMs = 700
const workMs = 2500
/** For everything together; rows that are not reached are named. */
const budgetMs = 7.5 * 60_000
/** Of one field, so many of its values; the test of the generator looks at all of them. */
const valuesOfField = 2

interface Row {
  name: string
  run(target: Target): Promise<string>
}

type Take = () => Promise<number[]>

/** Health beside the worst calls of every route. `only` names a part of the rows that are wanted. */
export async function measureCalls(
  only: string,
  figureOf: (name: string, times: number[]) => Figure,
): Promise<Figure[]> {
  const folder = temporaryFolder()
  const model = await startHostileModel()
  const site = new Worker(new URL('./call-site.ts', import.meta.url))
  const [siteUrl] = await once(site, 'message')
  const began = performance.now()
  const rows = rowsOf(siteUrl, only, model)
  const service = await startService({
    ...common,
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
    workerData: { url: service.url },
  })
  const take: Take = async () => {
    poller.postMessage('take')
    const [times] = await once(poller, 'message')
    return times
  }
  const figures: Figure[] = []
  try {
    const target = await prepare({ url: service.url, key, ids: {} }, siteUrl)
    for (const [index, { name, run }] of rows.entries()) {
      if (performance.now() - began > budgetMs) {
        console.error(
          `Not measured, because the time is over: ${rows
            .slice(index)
            .map((row) => row.name)
            .join('; ')}`,
        )
        break
      }
      await sleep(100)
      await take()
      const outcome = await run(target)
      figures.push(figureOf(`${name} (${outcome})`, await take()))
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

type Model = Awaited<ReturnType<typeof startHostileModel>>

function rowsOf(siteUrl: string, only: string, model: Model): Row[] {
  const isWanted = ({ name }: Row) => name.toLowerCase().includes(only.toLowerCase())
  const wantedSources = sources.filter(({ route }) => route.toLowerCase().includes(only.toLowerCase()))
  const generated = wantedSources.flatMap(({ route, ...source }) =>
    inRows(route, callsOf({ route, ...source }, siteUrl)),
  )
  const quiet: Row = { name: 'quiet', run: async () => sleep(2000, 'nothing') }
  const special = [...inRows('JSON', jsonCalls()), ...modelRows(siteUrl, model), slowBodies, manyStreams]
  return [quiet, ...generated, ...special.filter(isWanted)]
}

/** One row for everything together in all alphabets, and one for each field alone. */
function inRows(route: string, calls: WorstCall[]): Row[] {
  const groups = Map.groupBy(calls, ({ what }) =>
    what.startsWith('all fields') ? 'all fields' : what.replace(/ \d+$/, ''),
  )
  return [...groups].map(([what, all]) => {
    const chosen = what === 'all fields' ? all : all.slice(0, valuesOfField)
    return { name: `${route}: ${what}`, run: (target) => sendAll(target, chosen) }
  })
}

/** Calls one after the other, again and again until there are enough answers of health to compare. */
async function sendAll(target: Target, calls: WorstCall[]): Promise<string> {
  const outcomes = new Set<string>()
  const began = performance.now()
  do {
    for (const call of calls) {
      const { outcome, id } = await sendCall(target, call, callLimitMs)
      outcomes.add(outcome)
      await endWork(target, call, id, workMs / calls.length)
      if (performance.now() - began > 2 * callLimitMs) return [...outcomes].join(', ')
    }
  } while (performance.now() - began < leastWindowMs)
  return [...outcomes].join(', ')
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
  const post = (path: string, body: unknown): WorstCall => ({ method: 'POST', path, what: '', body })
  const calls = [
    post('/v2/scrape', {
      url: siteUrl,
      maxAge: 0,
      formats: ['summary', { type: 'json', schema, prompt: 'All.' }],
    }),
    post('/v2/extract', { urls: [siteUrl], schema, prompt: 'All.' }),
    post('/v2/agent', { urls: [siteUrl], prompt: 'All titles.' }),
  ]
  return answers.map((answer) => ({
    name: `model: ${answer}`,
    run: (target) => {
      model.answer(answer)
      return sendAll(target, calls)
    },
  }))
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

/** One job of each kind, so that paths with an id lead to something. */
async function prepare(target: Target, siteUrl: string): Promise<Target> {
  const post = async (path: string, body: object) =>
    (await sendCall(target, { method: 'POST', path, what: '', body }, 20_000)).id
  const [crawl, batch, session] = await Promise.all([
    post('/v2/crawl', { url: siteUrl, limit: 2 }),
    post('/v2/batch/scrape', { urls: [siteUrl] }),
    post('/v2/browser', { ttl: 3600, activityTtl: 3600 }),
  ])
  return {
    ...target,
    ids: { ...(crawl ? { crawl } : {}), ...(batch ? { batch } : {}), ...(session ? { session } : {}) },
  }
}
