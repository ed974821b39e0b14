import { request as send } from 'undici'
import { AppError } from '../base/errors.ts'
import { guardedAgent } from './connect.ts'
import type { Guard } from './guard.ts'
import { wireFailure } from './wire-failure.ts'

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

/** In our own words: who reads the log of a delivery is not who runs the service. */
function explained(thrown: unknown): Error {
  if (thrown instanceof AppError) return thrown
  return new Error(`The receiver ${wireFailure(thrown).words}.`, { cause: thrown })
}
