import { type Answer, type Call, type Caller, call, type Json, patientCall, until } from './call.ts'
import { merged } from './merged.ts'
import { startWeb, type Web } from './web.ts'

/** What a call came to, in the same words for every endpoint. */
export interface Outcome {
  status: number
  code: string | undefined
  body: Json
  /** Of the job; undefined if there is none. */
  id: string | undefined
  /** Markdown of all its pages. */
  text: string
  warning: string
  /** Addresses of the pages that came back, or that a map lists. */
  pages: string[]
}

export interface File {
  bytes: Uint8Array
  name: string
}

/** Options to merge into the request that broke. */
export type FixParameters = Record<string, unknown>

/** What a case works with: its own team, its own site. */
export interface Kit {
  key: string
  url(path: string): string
  secure(path: string): string
  elsewhere(path: string): string
  call(method: string, path: string, rest?: Pick<Call, 'body' | 'headers'>): Promise<Answer>
  scrape(body: object): Promise<Outcome>
  crawl(body: object): Promise<Outcome>
  batch(body: object): Promise<Outcome>
  map(body: object): Promise<Outcome>
  search(body: object): Promise<Outcome>
  parse(file: File, options?: object): Promise<Outcome>
  /** The last of these calls once more, with the parameters merged into it. */
  again(parameters: FixParameters): Promise<Outcome>
  /** Calls of the team that went well and have nothing to do with the case. */
  otherCalls(): Promise<void>
  /** What must be so for the case to be one. */
  shows(what: string, isSo: boolean): void
}

export interface CaseKit {
  kit: Kit
  caller: Caller
  /** What was to be so and is not. */
  missing: string[]
  close(): Promise<void>
}

export async function openKit(caller: Caller, routes: Parameters<typeof startWeb>[0]): Promise<CaseKit> {
  const web = await startWeb(routes)
  const missing: string[] = []
  return { kit: kitOf(caller, web, missing), caller, missing, close: web.stop }
}

function kitOf(caller: Caller, web: Web, missing: string[]): Kit {
  let last: (parameters: FixParameters) => Promise<Outcome> = () => Promise.reject(new Error('no call yet'))
  const remembered =
    (send: (body: object) => Promise<Outcome>) =>
    (body: object): Promise<Outcome> => {
      last = (parameters) => send(merged(body, parameters))
      return send(body)
    }
  const post = async (path: string, body: object) => {
    const answer = await call(caller, { method: 'POST', path, body })
    return outcomeOf(caller, answer, answer.body.data === undefined ? [] : [answer.body.data])
  }
  const parent = async (path: string, body: object) => {
    const answer = await call(caller, { method: 'POST', path, body })
    return answer.status === 200 ? ended(caller, path, answer.body.id) : outcomeOf(caller, answer, [])
  }
  return {
    key: caller.key,
    url: (path) => web.http + path,
    secure: (path) => web.https + path,
    elsewhere: (path) => web.elsewhere + path,
    call: (method, path, rest) => call(caller, { method, path, ...rest }),
    scrape: remembered((body) => post('/v2/scrape', body)),
    crawl: remembered((body) => parent('/v2/crawl', body)),
    batch: remembered((body) => parent('/v2/batch/scrape', body)),
    map: remembered(async (body) => {
      const answer = await call(caller, { method: 'POST', path: '/v2/map', body })
      const outcome = await outcomeOf(caller, answer, [])
      return { ...outcome, pages: (answer.body.links ?? []).map(({ url }: Json) => url) }
    }),
    search: remembered((body) => post('/v2/search', body)),
    parse(file, options = {}) {
      return remembered((body) => parse(caller, file, body))(options)
    },
    again: (parameters) => last(parameters),
    async otherCalls() {
      for (const path of ['/other/1', '/other/2']) {
        await call(caller, { method: 'POST', path: '/v2/scrape', body: { url: web.http + path } })
      }
    },
    shows(what, isSo) {
      if (!isSo) missing.push(what)
    },
  }
}

async function parse(caller: Caller, { bytes, name }: File, options: object): Promise<Outcome> {
  const form = new FormData()
  form.append('file', new Blob([Uint8Array.from(bytes)]), name)
  form.append('options', JSON.stringify(options))
  const answer = await call(caller, { method: 'POST', path: '/v2/parse', body: form })
  return outcomeOf(caller, answer, answer.body.data === undefined ? [] : [answer.body.data])
}

/** A crawl or a batch at its end, with all its documents. */
async function ended(caller: Caller, path: string, id: string): Promise<Outcome> {
  const done = await until(90_000, async () => {
    const answer = await patientCall(caller, { method: 'GET', path: `${path}/${id}` })
    return answer.body.status === 'scraping' ? undefined : answer
  })
  if (done === undefined) throw new Error(`${path} ${id} does not end.`)
  return { ...(await outcomeOf(caller, done, done.body.data ?? [])), id }
}

async function outcomeOf(caller: Caller, answer: Answer, documents: Json[]): Promise<Outcome> {
  const { body, status } = answer
  const [first] = documents
  return {
    ...{ status, body, code: body.code },
    id: first?.metadata?.scrapeId ?? body.id ?? (await latestJob(caller)),
    text: documents.map(({ markdown = '' }) => markdown).join('\n'),
    warning: [body.warning, ...documents.map(({ warning }) => warning)].filter(Boolean).join('\n'),
    pages: documents.map(({ metadata }) => metadata?.url ?? ''),
  }
}

/** An error names no job; the list of calls does. */
async function latestJob(caller: Caller): Promise<string | undefined> {
  const { body } = await call(caller, { method: 'GET', path: '/v2/team/activity?limit=1' })
  return body.data?.[0]?.id
}
