import { setTimeout as sleep } from 'node:timers/promises'

// biome-ignore lint/suspicious/noExplicitAny: cases read responses field by field
export type Json = any

export interface Answer {
  status: number
  body: Json
}

export interface Call {
  method: string
  path: string
  body?: unknown
  headers?: Record<string, string>
}

/** Base URL of a service, and API key of a team. */
export interface Caller {
  base: string
  key: string
}

export async function call({ base, key }: Caller, { method, path, body, headers }: Call): Promise<Answer> {
  const isForm = body instanceof FormData
  const response = await fetch(base + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  return { status: response.status, body: isJson ? JSON.parse(text) : text }
}

/** Sends a call. If the rate limit is exceeded, waits for the next minute and retries. */
export async function callWithRetry(caller: Caller, request: Call): Promise<Answer & { ms: number }> {
  for (let attempt = 1; ; attempt += 1) {
    const startedAt = performance.now()
    const response = await call(caller, request)
    if (response.status !== 429 || attempt === 3) return { ...response, ms: performance.now() - startedAt }
    await sleep(Number(response.body.retryAfter ?? 1) * 1000 + 50)
  }
}

export async function until<Value>(
  withinMs: number,
  check: () => Promise<Value | undefined>,
): Promise<Value | undefined> {
  const endsAt = Date.now() + withinMs
  while (Date.now() < endsAt) {
    const found = await check()
    if (found !== undefined) return found
    await sleep(150)
  }
  return undefined
}
