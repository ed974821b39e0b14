import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Authenticate } from '../accounts/authenticate.ts'
import type { Admit, Lane } from '../accounts/limits.ts'
import { AppError } from '../base/errors.ts'
import { type NowOrLater, proceed } from '../base/now-or-later.ts'
import { toRenderable } from './render-error.ts'

export interface EntranceNeeds {
  authenticate: Authenticate
  admit: Admit
  /** Decides whether a request may come in at all; throws otherwise. */
  checkOrigin: (headers: FastifyRequest['headers']) => void
}

export interface Entrance {
  /** Without a lane no key is asked for, and no budget is touched. */
  letIn(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void, lane?: Lane): void
  /** From now on nobody is let in. */
  close(): void
}

/** What every call passes before its body is read: origin, key, budget. */
export function createEntrance(needs: EntranceNeeds): Entrance {
  let isClosed = false

  function admit(request: FastifyRequest, lane: Lane): NowOrLater<void> {
    return proceed(needs.authenticate(request.headers.authorization), (team) => {
      request.team = team
      return needs.admit(team, lane)
    })
  }

  return {
    letIn(request, reply, done, lane) {
      request.began = performance.now()
      reply.header('x-request-id', request.id)
      try {
        if (isClosed) throw new AppError('STOPPING')
        needs.checkOrigin(request.headers)
        const admitted = lane === undefined ? undefined : admit(request, lane)
        if (admitted) admitted.then(() => done(), done)
        else done()
      } catch (thrown) {
        done(toRenderable(thrown))
      }
    },
    close() {
      isClosed = true
    },
  }
}
