import { setTimeout as sleep } from 'node:timers/promises'
import { withIds, withIdsInside } from './path-ids.ts'
import type { WorstCall } from './worst-calls.ts'

/** Service to which calls are sent, with the URL of a test site, and ids by their names in paths. */
export interface Target {
  url: string
  key: string
  site: string
  ids: Record<string, string>
}

/** One kind of call during which the liveness check is measured. */
export interface Row {
  name: string
  /** Sends the call once, or repeatedly for some time. Returns a description of the response. */
  run(target: Target, workMs: number): Promise<string>
}

// biome-ignore lint/suspicious/noExplicitAny: responses of all routes, of which some fields are read
export type Reply = Record<string, any>

export interface CallResult {
  /** Status, with the code or the bound of an error. */
  outcome: string
  status: number
  reply: Reply
}

/** Sends one call, with a timeout. */
export async function sendCall(target: Target, call: WorstCall, limitMs: number): Promise<CallResult> {
  let status = 0
  try {
    const response = await fetch(target.url + createPath(call, target.ids), {
      method: call.method,
      headers: {
        authorization: `Bearer ${target.key}`,
        ...(call.body === undefined || call.takesFile ? {} : { 'content-type': 'application/json' }),
        ...(call.path === '/mcp' ? { accept: 'application/json, text/event-stream' } : {}),
      },
      signal: AbortSignal.timeout(call.isEndless ? endlessMs : limitMs),
      ...createBody(call, target.ids),
    })
    status = response.status
    const reply = readReply(await response.text())
    return { reply, status, outcome: `${status} ${reply.bound ?? reply.code ?? ''}`.trim() }
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    const lateOutcome = status === 0 ? `none in ${limitMs / 1000} s` : `${status} without an end`
    return { outcome: isLate ? lateOutcome : `failed: ${String(error)}`, status, reply: {} }
  }
}

/** Timeout of event streams, which end only when the client disconnects. */
const endlessMs = 500

/** Parses a response, and adds the id as a top-level field. */
function readReply(text: string): Reply {
  try {
    const reply = JSON.parse(text)
    return { ...reply, id: reply.id ?? reply.data?.id ?? reply.data?.metadata?.scrapeId }
  } catch {
    return {}
  }
}

function createBody({ body, takesFile, method }: WorstCall, ids: Target['ids']): RequestInit {
  if (method === 'GET' || body === undefined) return {}
  if (!takesFile) return { body: withIdsInside(JSON.stringify(body), ids) }
  const form = new FormData()
  form.append('file', new Blob([fileText]), `${'a'.repeat(250)}.html`)
  form.append('options', JSON.stringify(body))
  return { body: form }
}

const fileText = `<title>File</title>${'<p a>The tide of every evening.</p>'.repeat(20_000)}`

function createPath({ path, query }: WorstCall, ids: Target['ids']): string {
  const filledPath = withIds(path, ids)
  const searchParams = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {}))
    for (const entry of Array.isArray(value) ? value : [value]) searchParams.append(name, String(entry))
  return searchParams.size > 0 ? `${filledPath}?${searchParams}` : filledPath
}

/** Cancels background work of calls after some time, including work that MCP tools have started. */
export async function endWork(target: Target, { method, path }: WorstCall, afterMs: number): Promise<void> {
  if (method !== 'POST' || !startsWork.test(path)) return
  await sleep(afterMs)
  const headers = { authorization: `Bearer ${target.key}` }
  const callApi = (httpMethod: string, apiPath: string) =>
    fetch(target.url + apiPath, { method: httpMethod, headers, signal: AbortSignal.timeout(10_000) })
  const list = async (state: string) => {
    const response = await callApi('GET', `/v2/team/activity?limit=100&state=${state}`)
    return ((await response.json()) as { data: { id: string; endpoint: string }[] }).data
  }
  const ownIds = new Set(Object.values(target.ids))
  const remaining = [...(await list('running')), ...(await list('queued'))].filter(
    ({ id }) => !ownIds.has(id),
  )
  for (const { id, endpoint } of remaining) {
    const endpointPath = endpoint === 'batch_scrape' ? 'batch/scrape' : endpoint
    if (/^(?:crawl|batch\/scrape|extract|agent|browser|interact)$/.test(endpointPath))
      await callApi('DELETE', `/v2/${endpointPath}/${id}`).then((ended) => ended.body?.cancel())
  }
}

const startsWork = /(?:crawl|batch\/scrape|extract|agent|browser|interact|mcp)$/
