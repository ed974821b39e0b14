import { request as send } from 'undici'
import { AppError } from '../base/errors.ts'
import { guardedAgent } from './connect.ts'
import type { Guard } from './guard.ts'

export interface PostRequest {
  url: URL
  headers: Record<string, string>
  body: Uint8Array
}

export interface Poster {
  /** Answers the status; redirects are not followed. Fails with a reason in words. */
  post(request: PostRequest, signal: AbortSignal): Promise<number>
  close(): Promise<void>
}

/** POST behind the guard, for receivers of webhooks: certificates must be valid, and nobody is sent elsewhere. */
export function createPoster(guard: Guard): Poster {
  const agent = guardedAgent(guard, true)
  return {
    async post({ url, headers, body }, signal) {
      const answer = await send(url, { dispatcher: agent, method: 'POST', headers, body, signal }).catch(
        (thrown) => {
          throw signal.aborted ? signal.reason : explained(thrown)
        },
      )
      // What a receiver says beside its status is nobody's business, however long it goes on.
      await answer.body.dump({ limit: 16 * 1024, signal }).catch(() => answer.body.destroy())
      return answer.statusCode
    },
    close: () => agent.destroy(),
  }
}

function explained(thrown: unknown): Error {
  if (thrown instanceof AppError) return thrown
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return new Error(code === '' || message.includes(code) ? message : `${code} ${message}`, { cause: thrown })
}
