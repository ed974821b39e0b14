import type { z } from 'zod'
import { AppError } from '../../platform/errors.ts'
import { nextTurn } from '../../platform/time-slice.ts'
import { admitBody } from '../body/admit-body.ts'
import { type Call, type Endpoint, rateLimitOf } from '../endpoint.ts'
import { validate } from '../validate.ts'

export interface Translation<Body extends z.ZodType, V2Response> {
  /** Endpoints that do the work. If there are several, the first one that finds the job responds. */
  endpoints: [Endpoint, ...Endpoint[]]
  method?: Endpoint['method']
  body?: { schema: Body; toV2(body: z.output<Body>): object }
  response?: z.ZodType
  /** Converts the response. Default: unchanged, except for links, which point to version 1. */
  toV1?(response: V2Response, call: { body: z.output<Body>; toV1Url: ToV1Url }): object
}

export type ToV1Url = (address: string) => string

/** Keys, limits, deadlines and prices are those of the endpoint that does the work. */
export function createV1Endpoint<Body extends z.ZodType, V2Response extends object>(
  translation: Translation<Body, V2Response>,
): Endpoint {
  const { endpoints, body, toV1 = convertLinks } = translation
  const [first] = endpoints
  const { body: _, unsupportedFields: __, ...shared } = first
  return {
    ...shared,
    method: translation.method ?? first.method,
    path: first.path.replace('/v2/', '/v1/'),
    isDeprecated: true,
    ...(body ? { body: body.schema } : {}),
    response: translation.response ?? first.response,
    errors: [...new Set(endpoints.flatMap(({ errors = [] }) => errors))],
    rateLimitClass: rateLimitOf(first),
    async handle(call) {
      // The cast is safe: the schema of the translation parsed it.
      const v1Body = call.body as z.output<Body>
      // Validating the largest body takes long, so other requests run before it is validated as version 2.
      if (body) await nextTurn()
      const v2Body = body && first.body && validate(first.body, body.toV2(v1Body), 'body', first.invalidBody)
      const v2Call = { ...call, body: v2Body }
      await admitBody(call.app, { ...v2Call, prefix: first.invalidBody })
      // The cast is safe: the response of an endpoint has the type of its schema.
      const response = (await callFirstMatch(endpoints, v2Call)) as V2Response
      const { publicUrl } = call
      return toV1(response, { body: v1Body, toV1Url: (address) => toV1Url(address, publicUrl) })
    },
  }
}

async function callFirstMatch(
  [endpoint, ...fallbacks]: Endpoint[],
  call: Call<unknown, unknown, unknown>,
): Promise<unknown> {
  try {
    return await endpoint?.handle(call)
  } catch (thrown) {
    const isUnknownJob = thrown instanceof AppError && thrown.code === 'JOB_NOT_FOUND'
    if (isUnknownJob && fallbacks.length > 0) return callFirstMatch(fallbacks, call)
    throw thrown
  }
}

function toV1Url(address: string, publicUrl: string): string {
  const v2Prefix = `${publicUrl}/v2/`
  return address.startsWith(v2Prefix) ? `${publicUrl}/v1/${address.slice(v2Prefix.length)}` : address
}

function convertLinks(response: object, { toV1Url }: { toV1Url: ToV1Url }): object {
  const { url, next }: { url?: unknown; next?: unknown } = response as object
  return {
    ...response,
    ...(typeof url === 'string' ? { url: toV1Url(url) } : {}),
    ...(typeof next === 'string' ? { next: toV1Url(next) } : {}),
  }
}
