import { setTimeout as sleep } from 'node:timers/promises'
import type { WorstCall } from './worst-calls.ts'

/** A service to which calls are sent, and ids that its paths name. */
export interface Target {
  url: string
  key: string
  ids: { session?: string; scrape?: string; crawl?: string; batch?: string; extract?: string; agent?: string }
}

export interface Sent {
  /** Status, and the code or the bound of an error. */
  outcome: string
  status: number
  id: string | undefined
}

const unknownId = '00000000-0000-7000-8000-000000000000'

/** Sends one call and gives up on it after a time. A slow caller sends its body in pieces. */
export async function sendCall(target: Target, call: WorstCall, limitMs: number): Promise<Sent> {
  const url = target.url + pathOf(call, target.ids)
  try {
    const response = await fetch(url, {
      method: call.method,
      headers: {
        authorization: `Bearer ${target.key}`,
        ...(call.body === undefined || call.takesFile ? {} : { 'content-type': 'application/json' }),
        ...(call.path === '/mcp' ? { accept: 'application/json, text/event-stream' } : {}),
      },
      signal: AbortSignal.timeout(limitMs),
      ...bodyOf(call),
    })
    const text = await response.text()
    return {
      ...readReply(text),
      status: response.status,
      outcome: `${response.status} ${readReply(text).code}`.trim(),
    }
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    if (!isLate) return { outcome: `failed: ${String(error)}`, status: 0, id: undefined }
    return { outcome: `none in ${limitMs / 1000} s`, status: 0, id: undefined }
  }
}

function readReply(text: string): { code: string; id: string | undefined } {
  try {
    const { bound, code, id } = JSON.parse(text)
    return { code: bound ?? code ?? '', id: typeof id === 'string' ? id : undefined }
  } catch {
    return { code: '', id: undefined }
  }
}

function bodyOf({ body, takesFile, method }: WorstCall): RequestInit {
  if (method === 'GET') return {}
  if (!takesFile) return { body: JSON.stringify(body ?? {}) }
  const form = new FormData()
  form.append('file', new Blob([fileText]), `${'a'.repeat(250)}.html`)
  form.append('options', JSON.stringify(body))
  return { body: form }
}

const fileText = `<title>File</title>${'<p a>The tide of every evening.</p>'.repeat(20_000)}`

function pathOf({ path, query }: WorstCall, ids: Target['ids']): string {
  const kind = path.split('/')[2] ?? ''
  const names: Record<string, string | undefined> = {
    ...{
      browser: ids.session,
      interact: ids.session,
      scrape: ids.scrape,
      crawl: ids.crawl,
      batch: ids.batch,
    },
    ...{ extract: ids.extract, agent: ids.agent },
  }
  const filled = path.replace(/\{[^}]+\}/g, names[kind] ?? unknownId)
  const words = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {}))
    for (const one of Array.isArray(value) ? value : [value]) words.append(name, String(one))
  return words.size > 0 ? `${filled}?${words}` : filled
}

/** Work that calls have left behind goes on for a time and is then cancelled, that of tools for language models too. */
export async function endWork(target: Target, { method, path }: WorstCall, afterMs: number): Promise<void> {
  if (method !== 'POST' || !leavesWork.test(path)) return
  await sleep(afterMs)
  const headers = { authorization: `Bearer ${target.key}` }
  const ask = (way: string, at: string) =>
    fetch(target.url + at, { method: way, headers, signal: AbortSignal.timeout(10_000) })
  const list = async (state: string) => {
    const response = await ask('GET', `/v2/team/activity?limit=100&state=${state}`)
    return ((await response.json()) as { data: { id: string; endpoint: string }[] }).data
  }
  const kept = new Set(Object.values(target.ids))
  const left = [...(await list('running')), ...(await list('queued'))].filter(({ id }) => !kept.has(id))
  for (const { id, endpoint } of left) {
    const place = endpoint === 'batch_scrape' ? 'batch/scrape' : endpoint
    if (/^(?:crawl|batch\/scrape|extract|agent|browser|interact)$/.test(place))
      await ask('DELETE', `/v2/${place}/${id}`).then((ended) => ended.body?.cancel())
  }
}

const leavesWork = /(?:crawl|batch\/scrape|extract|agent|browser|interact|mcp)$/
