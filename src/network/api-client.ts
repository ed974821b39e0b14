import { request as send } from 'undici'
import { AppError } from '../base/errors.ts'
import { decodeBody, readBody } from './body.ts'
import { guardedAgent } from './connect.ts'
import type { Guard } from './guard.ts'
import { wireFailure } from './wire-failure.ts'

interface ApiCall {
  method: 'GET' | 'POST'
  url: URL
  headers: Record<string, string>
  body?: string
}

interface ApiAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

/** Calls services that the operator or the service itself has chosen. */
export interface ApiClient {
  /** Redirects are not followed: an API that moved has changed. */
  call(call: ApiCall, signal: AbortSignal): Promise<ApiAnswer>
  close(): Promise<void>
}

const mostBytes = 4 * 1024 * 1024

/** HTTP behind the guard, for APIs: certificates must be valid, and answers are bounded. */
export function createApiClient(guard: Guard): ApiClient {
  const agent = guardedAgent(guard, true)
  return {
    async call({ method, url, headers, body }, signal) {
      const limits = { bound: 'the size of an answer', bytes: mostBytes, signal }
      try {
        const answer = await send(url, {
          ...{ dispatcher: agent, method, signal, body: body ?? null },
          headers: { 'accept-encoding': 'gzip, br', 'user-agent': userAgent, ...headers },
        })
        const joined: Record<string, string> = {}
        for (const [name, value] of Object.entries(answer.headers))
          if (value !== undefined) joined[name] = Array.isArray(value) ? value.join(', ') : value
        const raw = await readBody(answer.body, limits)
        const { bytes } = await decodeBody(raw, joined['content-encoding'], limits)
        return { status: answer.statusCode, headers: joined, body: Buffer.from(bytes).toString() }
      } catch (thrown) {
        if (signal.aborted) throw signal.reason
        if (thrown instanceof AppError) throw thrown
        throw new Error(`${url.host} ${wireFailure(thrown).words}`, { cause: thrown })
      }
    },
    close: () => agent.destroy(),
  }
}

/** Several of these services refuse clients that do not say who they are. */
const userAgent = 'Winnow (self-hosted web data service)'
