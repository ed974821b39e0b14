import { type Answer, type Call, type Caller, call, callWithRetry, type Json, until } from './call.ts'
import { mergeParameters } from './merged.ts'
import { startWeb, type Web } from './web.ts'

/** Outcome of a call, in the same form for every endpoint. */
export interface Outcome {
  status: number
  code: string | undefined
  body: Json
  /** Id of the job; undefined if there is none. */
  id: string | undefined
  /** Markdown of all its pages. */
  text: string
  warning: string
  /** URLs of the returned pages, or of the links of a map. */
  pages: string[]
}

export interface File {
  bytes: Uint8Array
  name: string
}

/** Options to merge into the failing request. */
export type FixParameters = Record<string, unknown>

/** Calls for one case, with its own team and site. */
export interface Kit {
  key: string
  url(path: string): string
  httpsUrl(path: string): string
  /** Returns the URL of a path on another site. */
  otherSiteUrl(path: string): string
  call(method: string, path: string, rest?: Pick<Call, 'body' | 'headers'>): Promise<Answer>
  scrape(body: object): Promise<Outcome>
  crawl(body: object): Promise<Outcome>
  batch(body: object): Promise<Outcome>
  map(body: object): Promise<Outcome>
  search(body: object): Promise<Outcome>
  parse(file: File, options?: object): Promise<Outcome>
  /** Repeats the last of these calls with the parameters merged into it. */
  repeatWith(parameters: FixParameters): Promise<Outcome>
  /** Makes successful calls of the team that are unrelated to the case. */
  makeUnrelatedCalls(): Promise<void>
  /** Records a condition that must be true for the case to be valid. */
  check(condition: string, isMet: boolean): void
}

export interface CaseKit {
  kit: Kit
  caller: Caller
  /** Conditions that are not met. */
  unmetConditions: string[]
  close(): Promise<void>
}

export async function openKit(caller: Caller, routes: Parameters<typeof startWeb>[0]): Promise<CaseKit> {
  const web = await startWeb(routes)
  const unmetConditions: string[] = []
  return { kit: createKit(caller, web, unmetConditions), caller, unmetConditions, close: web.stop }
}

function createKit(caller: Caller, web: Web, unmetConditions: string[]): Kit {
  let repeatLast: (parameters: FixParameters) => Promise<Outcome> = () =>
    Promise.reject(new Error('no call yet'))
  const repeatable =
    (send: (body: object) => Promise<Outcome>) =>
    (body: object): Promise<Outcome> => {
      repeatLast = (parameters) => send(mergeParameters(body, parameters))
      return send(body)
    }
  const post = async (path: string, body: object) => {
    const response = await call(caller, { method: 'POST', path, body })
    return toOutcome(caller, response, response.body.data === undefined ? [] : [response.body.data])
  }
  const runParent = async (path: string, body: object) => {
    const response = await call(caller, { method: 'POST', path, body })
    return response.status === 200
      ? waitForEnd(caller, path, response.body.id)
      : toOutcome(caller, response, [])
  }
  return {
    key: caller.key,
    url: (path) => web.http + path,
    httpsUrl: (path) => web.https + path,
    otherSiteUrl: (path) => web.otherSite + path,
    call: (method, path, rest) => call(caller, { method, path, ...rest }),
    scrape: repeatable((body) => post('/v2/scrape', body)),
    crawl: repeatable((body) => runParent('/v2/crawl', body)),
    batch: repeatable((body) => runParent('/v2/batch/scrape', body)),
    map: repeatable(async (body) => {
      const response = await call(caller, { method: 'POST', path: '/v2/map', body })
      const outcome = await toOutcome(caller, response, [])
      return { ...outcome, pages: (response.body.links ?? []).map(({ url }: Json) => url) }
    }),
    search: repeatable((body) => post('/v2/search', body)),
    parse(file, options = {}) {
      return repeatable((body) => parse(caller, file, body))(options)
    },
    repeatWith: (parameters) => repeatLast(parameters),
    async makeUnrelatedCalls() {
      for (const path of ['/other/1', '/other/2']) {
        await call(caller, { method: 'POST', path: '/v2/scrape', body: { url: web.http + path } })
      }
    },
    check(condition, isMet) {
      if (!isMet) unmetConditions.push(condition)
    },
  }
}

async function parse(caller: Caller, { bytes, name }: File, options: object): Promise<Outcome> {
  const form = new FormData()
  form.append('file', new Blob([Uint8Array.from(bytes)]), name)
  form.append('options', JSON.stringify(options))
  const response = await call(caller, { method: 'POST', path: '/v2/parse', body: form })
  return toOutcome(caller, response, response.body.data === undefined ? [] : [response.body.data])
}

/** Waits for the end of a crawl or a batch. Returns its outcome with all documents. */
async function waitForEnd(caller: Caller, path: string, id: string): Promise<Outcome> {
  const done = await until(90_000, async () => {
    const response = await callWithRetry(caller, { method: 'GET', path: `${path}/${id}` })
    return response.body.status === 'scraping' ? undefined : response
  })
  if (done === undefined) throw new Error(`${path} ${id} does not end.`)
  return { ...(await toOutcome(caller, done, done.body.data ?? [])), id }
}

async function toOutcome(caller: Caller, response: Answer, documents: Json[]): Promise<Outcome> {
  const { body, status } = response
  const [first] = documents
  return {
    ...{ status, body, code: body.code },
    id: first?.metadata?.scrapeId ?? body.id ?? (await findLatestJobId(caller)),
    text: documents.map(({ markdown = '' }) => markdown).join('\n'),
    warning: [body.warning, ...documents.map(({ warning }) => warning)].filter(Boolean).join('\n'),
    pages: documents.map(({ metadata }) => metadata?.url ?? ''),
  }
}

/** Returns the id of the latest job from the activity list, because error responses contain no job id. */
async function findLatestJobId(caller: Caller): Promise<string | undefined> {
  const { body } = await call(caller, { method: 'GET', path: '/v2/team/activity?limit=1' })
  return body.data?.[0]?.id
}
