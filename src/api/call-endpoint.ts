import { z } from 'zod'
import type { Admit } from '../accounts/limits.ts'
import type { Team } from '../accounts/team.ts'
import { AppError } from '../platform/errors.ts'
import { type MaybePromise, proceed } from '../platform/functions.ts'
import type { App } from './app.ts'
import { admitBody } from './body/admit-body.ts'
import type { Upload } from './body/multipart.ts'
import { type Call, type Endpoint, listedCodes, rateLimitOf } from './endpoint.ts'
import { stripIgnoredOptions, warnIgnoredOptions } from './ignored-options.ts'
import { asValues, Streamed } from './send-response.ts'
import { validate } from './validate.ts'

interface RunDeps {
  app: App
  publicUrl: () => string
  checkResponses: boolean
}

/** What is sent to an endpoint, by name. */
interface Sent {
  params: unknown
  query: unknown
  body: unknown
  upload: Upload | undefined
}

interface Caller extends Pick<Call<unknown, unknown, unknown>, 'signal' | 'stopping'> {
  /** Undefined: the endpoint asks for no key. */
  team: Team | undefined
  idempotencyKey(): string | undefined
}

/** Runs an endpoint as every caller does: validation, handler, and what the answer says of options without effect. */
export function createEndpointRunner(endpoint: Endpoint, { app, publicUrl, checkResponses }: RunDeps) {
  const known = new Set(endpoint.body instanceof z.ZodObject ? Object.keys(endpoint.body.shape) : [])
  return (sent: Sent, caller: Caller): MaybePromise<unknown> => {
    const { body, ignored } = stripIgnoredOptions(sent.body, known)
    const call: Parameters<typeof endpoint.handle>[0] = {
      app,
      // Only endpoints that ask for no key are called without a team, and those do not look at it.
      team: caller.team as Team,
      params: endpoint.params && validate(endpoint.params, sent.params, 'path'),
      query: endpoint.query && validate(endpoint.query, sent.query, 'query'),
      body: endpoint.body && validate(endpoint.body, body, 'body', endpoint.invalidBody),
      // Only endpoints that take a file look at it, and those are never called without one.
      upload: sent.upload as Upload,
      idempotencyKey: caller.idempotencyKey(),
      publicUrl: publicUrl(),
      // A method and not a getter: an object with a getter of its own costs more than the rest of this call.
      signal: caller.signal,
      stopping: caller.stopping,
    }
    const finish = (answer: unknown) => {
      if (answer instanceof Streamed) return answer
      const told = ignored.length > 0 ? warnIgnoredOptions(endpoint, answer, ignored) : answer
      return checkResponses ? checked(endpoint, told) : told
    }
    const admitted = admitBody(app, { ...call, prefix: endpoint.invalidBody })
    return proceed(
      proceed(admitted, () => endpoint.handle(call)),
      finish,
    )
  }
}

async function checked(endpoint: Endpoint, answer: unknown): Promise<unknown> {
  endpoint.response.parse(await asValues(answer))
  return answer
}

export interface CallEndpointDeps extends RunDeps {
  admit: Admit
}

/** What a call over HTTP would carry, by name. */
export interface InnerCall {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: object
  upload?: Upload
}

/** Calls an endpoint from inside this process, as HTTP would. */
export async function callEndpoint(
  deps: CallEndpointDeps,
  endpoint: Endpoint,
  {
    team,
    signal,
    params = {},
    query = {},
    body = {},
    upload,
  }: InnerCall & { team: Team; signal: AbortSignal },
): Promise<unknown> {
  await deps.admit(team, rateLimitOf(endpoint))
  const run = createEndpointRunner(endpoint, deps)
  const caller = { team, signal: () => signal, stopping: signal, idempotencyKey: () => undefined }
  try {
    return await run({ params, query, body, upload }, caller)
  } catch (thrown) {
    // In tests, a code that the endpoint does not promise is a fault, as it is over HTTP.
    if (!deps.checkResponses || !(thrown instanceof AppError) || listedCodes(endpoint).has(thrown.code))
      throw thrown
    throw new Error(`${thrown.code} is not listed`, { cause: thrown })
  }
}
