import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../platform/errors.ts'
import { listener } from '../../platform/functions.ts'
import { nextTurn } from '../../platform/time-slice.ts'
import type { UnfinishedRequests } from '../connections/unfinished.ts'
import { toRenderable } from '../render-error.ts'
import { checkJsonBytes, parseJson, readJson } from './read-json.ts'
import { createTooLargeError } from './request-bounds.ts'

export interface BodyDeps {
  unfinished: UnfinishedRequests
  maxMegabytes: number
}

/** Accepts only JSON bodies. An empty body counts as missing, regardless of its content type. */
export function addJsonParser(scope: FastifyInstance, deps: BodyDeps): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('application/json', (request, payload, done) =>
    collect(request, payload, deps, done),
  )
}

function collect(
  request: FastifyRequest,
  payload: IncomingMessage,
  { unfinished, maxMegabytes }: BodyDeps,
  done: (error: Error | null, body?: unknown) => void,
): void {
  const maxBytes = maxMegabytes * 1024 * 1024
  if (Number(request.headers['content-length']) > maxBytes)
    return void done(createTooLargeError(maxMegabytes))
  const chunks: Buffer[] = []
  let length = 0
  const finish = (failure: Error | undefined) => {
    payload.off('data', onData).off('end', onEnd).off('error', finish)
    body.release()
    let error = failure
    try {
      if (error === undefined) unfinished.markReceived(request)
    } catch (thrown) {
      error = toRenderable(thrown)
    }
    if (error === undefined) return parse()
    // The rest is read and discarded: a client whose connection closes while it is writing gets no response.
    payload.on('error', () => {}).resume()
    // The request object is retained until its connection closes, so release the received chunks here.
    chunks.length = 0
    done(error)
  }
  const parse = () => {
    const received = chunks.splice(0)
    if (length > largeBodyBytes)
      return parseInSteps(received).then(
        (value) => setImmediate(done, null, value),
        (thrown) => done(toRenderable(thrown)),
      )
    const bytes = Buffer.concat(received)
    let value: unknown
    try {
      value = length === 0 ? undefined : readJson(bytes)
    } catch (thrown) {
      return done(toRenderable(thrown))
    }
    done(null, value)
  }
  const onData = listener(
    (chunk: Buffer) => {
      length += chunk.length
      if (length > maxBytes) return finish(createTooLargeError(maxMegabytes))
      chunks.push(chunk)
      body.add(chunk.length)
    },
    finish as (cause: unknown) => void,
  )
  const onEnd = () => finish(undefined)
  const body = unfinished.open(request, finish)
  payload.on('data', onData).on('end', onEnd).on('error', finish)
  unfinished.sendContinue(request)
}

const largeBodyBytes = 256 * 1024

/** Each step takes several milliseconds for a body of the largest size, so other requests run in between. */
async function parseInSteps(received: Buffer[]): Promise<unknown> {
  await nextTurn()
  const bytes = Buffer.concat(received)
  received.length = 0
  await nextTurn()
  checkJsonBytes(bytes)
  await nextTurn()
  const text = bytes.toString()
  await nextTurn()
  return parseJson(text)
}

export function addFormParser(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('multipart/form-data', (_, body, done) => done(null, body))
  scope.addContentTypeParser('*', (_, __, done) =>
    done(new AppError('UNSUPPORTED_MEDIA_TYPE', {}, { message: formRequiredMessage })),
  )
}

const formRequiredMessage =
  'Send a form with the header "content-type: multipart/form-data": the file in the part "file", the options as JSON text in the part "options".'

/** Ignores content type and body: many clients send a content type with every request, also without a body. */
export function ignoreBody(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_, __, done) => done(null, undefined))
}
