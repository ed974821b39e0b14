import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Authenticate } from '../../accounts/authenticate.ts'
import type { Admit, Lane } from '../../accounts/limits.ts'
import type { Team } from '../../accounts/team.ts'
import { AppError } from '../../platform/errors.ts'
import { type MaybePromise, proceed } from '../../platform/functions.ts'
import type { Access } from '../endpoint.ts'
import { toRenderable } from '../render-error.ts'
import { isLocal, ownOriginOnly } from './client-address.ts'
import type { Connections } from './connections.ts'

export interface RequestAuthorizerDeps {
  authenticate: Authenticate
  admit: Admit
  /** Decides whether a request may come in at all; throws otherwise. */
  checkOrigin: (headers: FastifyRequest['headers']) => void
  publicUrl: () => string
}

/** What a call is held to: the budget that it counts against, and who may make it. */
interface Terms {
  lane: Lane
  access: Access
}

export interface RequestAuthorizer {
  /** Without terms no key is asked for, and no budget is touched. */
  letIn(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void, terms?: Terms): void
  /** From now on nobody is let in. */
  close(): void
}

/** What every call passes before its body is read: origin, key, budget. */
export function createRequestAuthorizer(
  deps: RequestAuthorizerDeps,
  calls: Pick<Connections, 'admit'>,
): RequestAuthorizer {
  let isClosed = false
  const checkOwnOrigin = ownOriginOnly(deps.publicUrl)

  function admit(request: FastifyRequest, reply: FastifyReply, { lane, access }: Terms): MaybePromise<void> {
    if (access === 'machine') return checkMachine(request)
    return proceed(deps.authenticate(request.headers.authorization), (found) => {
      const team = found.keyId === null ? withoutKey(found, request) : found
      request.team = team
      return proceed(deps.admit(team, lane), () => {
        if (access === 'operator' && !team.isOperator) throw new AppError('OPERATOR_KEY_REQUIRED')
        calls.admit(request.raw, reply.raw, team.id)
      })
    })
  }

  /** A page of another site in a browser of this machine is not meant. */
  function checkMachine(request: FastifyRequest): void {
    if (!isLocal(request)) throw new AppError('LOCAL_CALL_REQUIRED')
    checkOwnOrigin(request.headers)
  }

  return {
    letIn(request, reply, done, terms) {
      request.began = performance.now()
      reply.header('x-request-id', request.id)
      try {
        if (isClosed) throw new AppError('STOPPING')
        deps.checkOrigin(request.headers)
        const admitted = terms === undefined ? undefined : admit(request, reply, terms)
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

/** With AUTH=off everyone who reaches the port is let in, but only who is on this machine may change accounts. */
function withoutKey(team: Team, request: FastifyRequest): Team {
  return { ...team, isOperator: team.isOperator && isLocal(request) }
}
