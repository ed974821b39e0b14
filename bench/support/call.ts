import { setTimeout as sleep } from 'node:timers/promises'

// biome-ignore lint/suspicious/noExplicitAny: cases look into answers field by field
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

/** Where a team of a service is called. */
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

/** A call that waits for the next minute where the team has made too many in this one. */
export async function patientCall(caller: Caller, asked: Call): Promise<Answer & { ms: number }> {
  for (let attempt = 1; ; attempt += 1) {
    const began = performance.now()
    const answer = await call(caller, asked)
    if (answer.status !== 429 || attempt === 3) return { ...answer, ms: performance.now() - began }
    await sleep(Number(answer.body.retryAfter ?? 1) * 1000 + 50)
  }
}

export async function until<Value>(
  withinMs: number,
  look: () => Promise<Value | undefined>,
): Promise<Value | undefined> {
  const end = Date.now() + withinMs
  while (Date.now() < end) {
    const found = await look()
    if (found !== undefined) return found
    await sleep(150)
  }
  return undefined
}
