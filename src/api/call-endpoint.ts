import { z } from 'zod'
import type { Admit } from '../accounts/limits.ts'
import type { Team } from '../accounts/team.ts'
import { AppError } from '../platform/errors.ts'
import { type MaybePromise, mapMaybePromise } from '../platform/functions.ts'
import type { App } from './app.ts'
import { admitBody } from './body/admit-body.ts'
import type { Upload } from './body/multipart.ts'
import { type Call, type Endpoint, listedCodes, rateLimitOf } from './endpoint.ts'
import { stripIgnoredOptions, warnIgnoredOptions } from './ignored-options.ts'
import { resolveJsonText, Streamed } from './send-response.ts'
import { validate } from './validate.ts'

export interface RunDeps {
  app: App
  publicUrl: () => string
  checkResponses: boolean
}

type RawRequest = Record<'params' | 'query' | 'body', unknown> & { upload: Upload | undefined }

interface Caller extends Pick<Call<unknown, unknown, unknown>, 'signal' | 'stopping'> {
  team: Team | undefined
  idempotencyKey(): string | undefined
}

export function createEndpointRunner(endpoint: Endpoint, { app, publicUrl, checkResponses }: RunDeps) {
  const knownFields = new Set(endpoint.body instanceof z.ZodObject ? Object.keys(endpoint.body.shape) : [])
  return (request: RawRequest, caller: Caller): MaybePromise<unknown> => {
    const { body, ignored } = stripIgnoredOptions(request.body, knownFields)
    const call: Parameters<typeof endpoint.handle>[0] = {
      app,
      // The cast is safe: only endpoints that require no key run without a team, and their handlers do not use it.
      team: caller.team as Team,
      params: endpoint.params && validate(endpoint.params, request.params, 'path'),
      query: endpoint.query && validate(endpoint.query, request.query, 'query'),
      body: endpoint.body && validate(endpoint.body, body, 'body', endpoint.invalidBody),
      // The cast is safe: only handlers of file endpoints read `upload`, and those are always called with a file.
      upload: request.upload as Upload,
      idempotencyKey: caller.idempotencyKey(),
      publicUrl: publicUrl(),
      // A method, because creating an object with its own getter costs more than the rest of this call.
      signal: caller.signal,
      stopping: caller.stopping,
    }
    const finish = (response: unknown) => {
      if (response instanceof Streamed) return response
      const withWarning = ignored.length > 0 ? warnIgnoredOptions(endpoint, response, ignored) : response
      return checkResponses ? checkResponse(endpoint, withWarning) : withWarning
    }
    const admitted = admitBody(app, { ...call, prefix: endpoint.invalidBody })
    return mapMaybePromise(
      mapMaybePromise(admitted, () => endpoint.handle(call)),
      finish,
    )
  }
}

async function checkResponse(endpoint: Endpoint, response: unknown): Promise<unknown> {
  endpoint.response.parse(await resolveJsonText(response))
  return response
}

export interface CallEndpointDeps extends RunDeps {
  checkRateLimit: Admit
}

export interface InProcessRequest {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: object
  upload?: Upload
}

export async function callEndpoint(
  deps: CallEndpointDeps,
  endpoint: Endpoint,
  request: InProcessRequest & { team: Team; signal: AbortSignal },
): Promise<unknown> {
  const { team, signal, params = {}, query = {}, body = {}, upload } = request
  await deps.checkRateLimit(team, rateLimitOf(endpoint))
  const run = createEndpointRunner(endpoint, deps)
  const caller = { team, signal: () => signal, stopping: signal, idempotencyKey: () => undefined }
  try {
    return await run({ params, query, body, upload }, caller)
  } catch (thrown) {
    // If responses are checked (tests), an error code that the endpoint does not list is a failure, as over HTTP.
    if (!deps.checkResponses || !(thrown instanceof AppError) || listedCodes(endpoint).has(thrown.code))
      throw thrown
    throw new Error(`${thrown.code} is not listed`, { cause: thrown })
  }
}
