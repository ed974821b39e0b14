import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Authenticate } from '../../accounts/authenticate.ts'
import type { Admit, Lane } from '../../accounts/limits.ts'
import { AppError } from '../../platform/errors.ts'
import { type MaybePromise, mapMaybePromise } from '../../platform/functions.ts'
import type { Access } from '../endpoint.ts'
import { toRenderable } from '../render-error.ts'
import { createOwnOriginCheck, isLocal } from './client-address.ts'
import type { Connections } from './connections.ts'

export interface RequestAuthorizerDeps {
  authenticate: Authenticate
  checkRateLimit: Admit
  checkOrigin: (headers: FastifyRequest['headers']) => void
  publicUrl: () => string
}

interface Authorization {
  rateLimitClass: Lane
  access: Access
}

export type RequestAuthorizer = ReturnType<typeof createRequestAuthorizer>

export function createRequestAuthorizer(deps: RequestAuthorizerDeps, calls: Pick<Connections, 'countCall'>) {
  let isClosed = false
  const checkOwnOrigin = createOwnOriginCheck(deps.publicUrl)

  function authorizeCaller(
    request: FastifyRequest,
    reply: FastifyReply,
    { rateLimitClass, access }: Authorization,
  ): MaybePromise<void> {
    if (access === 'machine') return checkMachine(request)
    return mapMaybePromise(deps.authenticate(request.headers.authorization), (authenticated) => {
      // With AUTH=off, every client that reaches the port gets access, but only local ones may change accounts.
      const team =
        authenticated.keyId === null
          ? { ...authenticated, isOperator: authenticated.isOperator && isLocal(request) }
          : authenticated
      request.team = team
      return mapMaybePromise(deps.checkRateLimit(team, rateLimitClass), () => {
        if (access === 'operator' && !team.isOperator) throw new AppError('OPERATOR_KEY_REQUIRED')
        calls.countCall(request.raw, reply.raw, team.id)
      })
    })
  }

  /** Requires a local client, and excludes pages of other sites that are open in a local browser. */
  function checkMachine(request: FastifyRequest): void {
    if (!isLocal(request)) throw new AppError('LOCAL_CALL_REQUIRED')
    checkOwnOrigin(request.headers)
  }

  return {
    /** Without `authorization`, a request needs no key and has no rate limit. */
    authorize(
      request: FastifyRequest,
      reply: FastifyReply,
      done: (error?: Error) => void,
      authorization?: Authorization,
    ): void {
      request.startedAt = performance.now()
      reply.header('x-request-id', request.id)
      try {
        if (isClosed) throw new AppError('STOPPING')
        deps.checkOrigin(request.headers)
        const admitted =
          authorization === undefined ? undefined : authorizeCaller(request, reply, authorization)
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
