import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../platform/errors.ts'
import { listener } from '../../platform/functions.ts'
import { nextTurn } from '../../platform/time-slice.ts'
import type { Unfinished } from '../connections/unfinished.ts'
import { toRenderable } from '../render-error.ts'
import { jsonText, parseJson, readJson } from './read-json.ts'

export interface BodyDeps {
  unfinished: Unfinished
  /** Largest JSON body, in megabytes. */
  maxMegabytes: number
}

/** JSON is the body of every route that takes one; an empty one is none, whatever it calls itself. */
export function addJsonParser(scope: FastifyInstance, deps: BodyDeps): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('application/json', (request, payload, done) =>
    collect(request, payload, deps, done),
  )
}

/** Collects a body in memory and parses it. Each part is counted as it comes, so that the body can be refused at any moment. */
function collect(
  request: FastifyRequest,
  payload: IncomingMessage,
  { unfinished, maxMegabytes }: BodyDeps,
  done: (error: Error | null, body?: unknown) => void,
): void {
  const maxBytes = maxMegabytes * 1024 * 1024
  if (Number(request.headers['content-length']) > maxBytes) {
    done(new AppError('REQUEST_TOO_LARGE'))
    return
  }
  const parts: Buffer[] = []
  let length = 0
  const settle = (failure: Error | undefined) => {
    payload.off('data', onData).off('end', onEnd).off('error', settle)
    body.release()
    const error = failure ?? refusalOf(() => unfinished.arrived(request))
    if (error === undefined) return parse()
    // The rest is read and thrown away: a connection that is cut while the caller writes shows no response.
    payload.on('error', ignore).resume()
    // The request lives until its connection is closed; what has arrived must not.
    parts.length = 0
    done(error)
  }
  const parse = () => {
    const bytes = Buffer.concat(parts, length)
    parts.length = 0
    if (length > largeBody)
      return parseInTurns(bytes).then(
        (value) => setImmediate(done, null, value),
        (thrown) => done(toRenderable(thrown)),
      )
    let value: unknown
    try {
      value = length === 0 ? undefined : readJson(bytes)
    } catch (thrown) {
      return done(toRenderable(thrown))
    }
    done(null, value)
  }
  const onData = listener(
    (part: Buffer) => {
      length += part.length
      if (length > maxBytes) return settle(new AppError('REQUEST_TOO_LARGE'))
      parts.push(part)
      body.add(part.length)
    },
    settle as (cause: unknown) => void,
  )
  const onEnd = () => settle(undefined)
  const body = unfinished.open(request, settle)
  payload.on('data', onData).on('end', onEnd).on('error', settle)
  unfinished.invite(request)
}

const largeBody = 256 * 1024

/** Decoding, parsing and validating a large body take about as long; other calls get their turn in between. */
async function parseInTurns(bytes: Buffer): Promise<unknown> {
  const text = jsonText(bytes)
  await nextTurn()
  return parseJson(text)
}

function ignore(): void {}

function refusalOf(work: () => void): Error | undefined {
  try {
    work()
    return undefined
  } catch (thrown) {
    return toRenderable(thrown)
  }
}

/** A form, unread: it goes to the disk as it comes. */
export function addFormParser(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('multipart/form-data', (_, body, done) => done(null, body))
  scope.addContentTypeParser('*', (_, __, done) =>
    done(new AppError('UNSUPPORTED_MEDIA_TYPE', {}, { message: formWanted })),
  )
}

const formWanted =
  'Send a form with the header "content-type: multipart/form-data": the file in the part "file", the options as JSON text in the part "options".'

/** Many clients name a content type with every call. Where no body is taken, neither it nor what follows is read. */
export function ignoreBody(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_, __, done) => done(null, undefined))
}

/** What stands for a body that was not sent: nothing but the defaults, where every field has one. */
export function withoutBody(isOptional: boolean): unknown {
  if (isOptional) return {}
  const message = 'The body is empty. Send a JSON object.'
  throw new AppError('BAD_REQUEST_INVALID_JSON', {}, { message })
}
