import { z } from 'zod'
import type { Admit } from '../accounts/limits.ts'
import type { Team } from '../accounts/team.ts'
import type { App } from '../app.ts'
import { AppError } from '../base/errors.ts'
import { admitSchemas } from './admit-schemas.ts'
import { type Endpoint, listedCodes } from './endpoint.ts'
import type { Upload } from './multipart.ts'
import { asValues } from './send-json.ts'
import { tellIgnored } from './tell-ignored.ts'
import { takeOutTolerated } from './tolerated.ts'
import { validate } from './validate.ts'

export interface CallEndpointNeeds {
  app: App
  admit: Admit
  publicUrl: () => string
  checkResponses: boolean
}

/** What a call over HTTP would carry, by name. */
export interface InnerCall {
  team: Team
  signal: AbortSignal
  params?: Record<string, string>
  query?: Record<string, string>
  body?: object
  upload?: Upload
}

/** Calls an endpoint from inside this process, as HTTP would: budget, validation, handler, and what it says of options. */
export async function callEndpoint(
  needs: CallEndpointNeeds,
  endpoint: Endpoint,
  call: InnerCall,
): Promise<unknown> {
  const { team, signal } = call
  await needs.admit(team, endpoint.lane ?? (endpoint.method === 'GET' ? 'read' : 'work'))
  const known = new Set(endpoint.body instanceof z.ZodObject ? Object.keys(endpoint.body.shape) : [])
  const { body, ignored } = takeOutTolerated(call.body, known)
  const answer = await listed(needs, endpoint, async () => {
    const given: Parameters<typeof endpoint.handle>[0] = {
      app: needs.app,
      team,
      params: endpoint.params && validate(endpoint.params, call.params ?? {}, 'path'),
      query: endpoint.query && validate(endpoint.query, call.query ?? {}, 'query'),
      body: endpoint.body && validate(endpoint.body, body ?? {}, 'body', endpoint.invalidBody),
      // Only endpoints that take a file look at it, and those are never called without one.
      upload: call.upload as Upload,
      idempotencyKey: undefined,
      publicUrl: needs.publicUrl(),
      signal: () => signal,
      stopping: signal,
    }
    await admitSchemas(needs.app, { ...given, prefix: endpoint.invalidBody })
    return endpoint.handle(given)
  })
  const told = ignored.length > 0 ? tellIgnored(endpoint, answer, ignored) : answer
  if (needs.checkResponses) endpoint.response.parse(await asValues(told))
  return told
}

/** In tests, a code that the endpoint does not promise is a fault, as it is over HTTP. */
async function listed<Answer>(
  { checkResponses }: CallEndpointNeeds,
  endpoint: Endpoint,
  handle: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await handle()
  } catch (thrown) {
    if (!checkResponses || !(thrown instanceof AppError) || listedCodes(endpoint).has(thrown.code))
      throw thrown
    throw new Error(`${thrown.code} is not listed`, { cause: thrown })
  }
}
