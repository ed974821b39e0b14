import type { FastifyInstance } from 'fastify'
import { AppError } from '../base/errors.ts'
import { largestUpload } from './multipart.ts'
import { readJson } from './read-json.ts'
import { toRenderable } from './render-error.ts'

/** JSON is the body of every route that takes one; an empty one is none, whatever it calls itself. */
export function takeJson(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (_, body, done) => {
    try {
      done(null, body.length === 0 ? undefined : readJson(body))
    } catch (thrown) {
      done(toRenderable(thrown))
    }
  })
}

/** A form, unread: it goes to the disk as it comes. */
export function takeForm(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('multipart/form-data', { bodyLimit: 2 * largestUpload }, (_, body, done) =>
    done(null, body),
  )
  scope.addContentTypeParser('*', (_, __, done) =>
    done(new AppError('UNSUPPORTED_MEDIA_TYPE', {}, { message: formWanted })),
  )
}

const formWanted =
  'Send a form with the header "content-type: multipart/form-data": the file in the part "file", the options as JSON text in the part "options".'

/** Many clients name a content type with every call. Where no body is taken, neither it nor what follows is looked at. */
export function takeNothing(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_, __, done) => done(null, undefined))
}

/** What stands for a body that was not sent: nothing but the defaults, where every field has one. */
export function withoutBody(isOptional: boolean): unknown {
  if (isOptional) return {}
  const message = 'The body is empty. Send a JSON object.'
  throw new AppError('BAD_REQUEST_INVALID_JSON', {}, { message })
}
