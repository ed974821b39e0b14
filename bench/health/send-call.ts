import { setTimeout as sleep } from 'node:timers/promises'
import { withIds, withIdsInside } from './path-ids.ts'
import type { WorstCall } from './worst-calls.ts'

/** A service to which calls are sent, a site that they name, and ids by the names that paths give them. */
export interface Target {
  url: string
  key: string
  site: string
  ids: Record<string, string>
}

/** One kind of call beside which health is asked. */
export interface Row {
  name: string
  /** Sends the call once, or for a time. Returns what was answered. */
  run(target: Target, workMs: number): Promise<string>
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every route, of which some fields are looked for
export type Reply = Record<string, any>

export interface Sent {
  /** Status, and the code or the bound of an error. */
  outcome: string
  status: number
  reply: Reply
}

/** Sends one call and gives up on it after a time. */
export async function sendCall(target: Target, call: WorstCall, limitMs: number): Promise<Sent> {
  let status = 0
  try {
    const response = await fetch(target.url + pathOf(call, target.ids), {
      method: call.method,
      headers: {
        authorization: `Bearer ${target.key}`,
        ...(call.body === undefined || call.takesFile ? {} : { 'content-type': 'application/json' }),
        ...(call.path === '/mcp' ? { accept: 'application/json, text/event-stream' } : {}),
      },
      signal: AbortSignal.timeout(call.isEndless ? endlessMs : limitMs),
      ...bodyOf(call, target.ids),
    })
    status = response.status
    const reply = readReply(await response.text())
    return { reply, status, outcome: `${status} ${reply.bound ?? reply.code ?? ''}`.trim() }
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    const late = status === 0 ? `none in ${limitMs / 1000} s` : `${status} without an end`
    return { outcome: isLate ? late : `failed: ${String(error)}`, status, reply: {} }
  }
}

/** Streams of events end when their reader goes. */
const endlessMs = 500

/** With the id where most answers have it. */
function readReply(text: string): Reply {
  try {
    const reply = JSON.parse(text)
    return { ...reply, id: reply.id ?? reply.data?.id ?? reply.data?.metadata?.scrapeId }
  } catch {
    return {}
  }
}

function bodyOf({ body, takesFile, method }: WorstCall, ids: Target['ids']): RequestInit {
  if (method === 'GET' || body === undefined) return {}
  if (!takesFile) return { body: withIdsInside(JSON.stringify(body), ids) }
  const form = new FormData()
  form.append('file', new Blob([fileText]), `${'a'.repeat(250)}.html`)
  form.append('options', JSON.stringify(body))
  return { body: form }
}

const fileText = `<title>File</title>${'<p a>The tide of every evening.</p>'.repeat(20_000)}`

function pathOf({ path, query }: WorstCall, ids: Target['ids']): string {
  const filled = withIds(path, ids)
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
