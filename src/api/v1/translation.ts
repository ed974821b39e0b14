import type { z } from 'zod'
import { AppError } from '../../platform/errors.ts'
import { nextTurn } from '../../platform/time-slice.ts'
import { admitBody } from '../body/admit-body.ts'
import { type Call, type Endpoint, rateLimitOf } from '../endpoint.ts'
import { validate } from '../validate.ts'

/** A call of the first version, as a call of the second one and what becomes of its answer. */
export interface Translation<Body extends z.ZodType, Answer> {
  /** Which endpoints do it. Where several are named, the first one that knows the job. */
  by: [Endpoint, ...Endpoint[]]
  /** Default: that of the endpoint. */
  method?: Endpoint['method']
  /** The body as clients of the first version write it, and the same as clients of the second one do. */
  body?: { schema: Body; toV2(body: z.output<Body>): object }
  /** Default: that of the endpoint. */
  response?: z.ZodType
  /** Default: as it is, with links into the first version. */
  toV1?(answer: Answer, call: { body: z.output<Body>; inV1: InV1 }): object
}

/** The same address in the first version of the API. */
export type InV1 = (address: string) => string

type AnyCall = Call<unknown, unknown, unknown>

/** The endpoint of the first version: keys, limits, deadlines and prices are those of the endpoint that does the work. */
export function translated<Body extends z.ZodType, Answer extends object>(
  translation: Translation<Body, Answer>,
): Endpoint {
  const { by, body, toV1 = linked } = translation
  const [first] = by
  return {
    method: translation.method ?? first.method,
    path: first.path.replace('/v2/', '/v1/'),
    summary: first.summary,
    tag: first.tag,
    isDeprecated: true,
    ...(first.params ? { params: first.params } : {}),
    ...(first.query ? { query: first.query } : {}),
    ...(body ? { body: body.schema } : {}),
    response: translation.response ?? first.response,
    errors: [...new Set(by.flatMap(({ errors = [] }) => errors))],
    lane: rateLimitOf(first),
    ...(first.warningIn ? { warningIn: first.warningIn } : {}),
    ...(first.invalidBody === undefined ? {} : { invalidBody: first.invalidBody }),
    async handle(call) {
      // The schema of the translation made it.
      const given = call.body as z.output<Body>
      // The largest body takes long enough to validate once. Other calls get their turn before it is validated as one of v2.
      if (body) await nextTurn()
      const asked = { ...call, body: body ? validated(first, body.toV2(given)) : undefined }
      await admitBody(call.app, { ...asked, prefix: first.invalidBody })
      // What an endpoint answers fits its schema, from which the type was taken.
      const answer = (await byFirstThatKnows(by, asked)) as Answer
      const { publicUrl } = call
      return toV1(answer, { body: given, inV1: (address) => inV1(address, publicUrl) })
    },
  }
}

function validated({ body, invalidBody }: Endpoint, value: object): unknown {
  return body ? validate(body, value, 'body', invalidBody) : undefined
}

async function byFirstThatKnows([endpoint, ...others]: Endpoint[], call: AnyCall): Promise<unknown> {
  if (!endpoint) throw new AppError('JOB_NOT_FOUND')
  if (others.length === 0) return endpoint.handle(call)
  try {
    return await endpoint.handle(call)
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'JOB_NOT_FOUND') return byFirstThatKnows(others, call)
    throw thrown
  }
}

function inV1(address: string, publicUrl: string): string {
  const second = `${publicUrl}/v2/`
  return address.startsWith(second) ? `${publicUrl}/v1/${address.slice(second.length)}` : address
}

/** Of an answer, what leads back to the API. */
function linked(answer: object, { inV1 }: { inV1: InV1 }): object {
  const { url, next }: { url?: unknown; next?: unknown } = answer as object
  return {
    ...answer,
    ...(typeof url === 'string' ? { url: inV1(url) } : {}),
    ...(typeof next === 'string' ? { next: inV1(next) } : {}),
  }
}
