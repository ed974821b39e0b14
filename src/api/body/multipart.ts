import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { finished, type Readable } from 'node:stream'
import { Busboy, type BusboyEvents, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import { isObject } from '../../extraction/schema/field-spec.ts'
import { bounds } from '../../platform/bounds.ts'
import { AppError } from '../../platform/errors.ts'
import { listener } from '../../platform/functions.ts'
import { createTemporaryFolder, writeTemporaryStream } from '../../platform/temporary-files.ts'
import type { BudgetedBody } from '../connections/request-budget.ts'
import { readJson } from './read-json.ts'
import { boundError } from './request-bounds.ts'

export interface Upload {
  path: string
  name: string
  mediaType: string | undefined
  size: number
}

export interface Form {
  upload: Upload
  options: unknown
  remove(): Promise<void>
}

const maxUploadBytes = 50 * 1024 * 1024
/** Parsing 1 MB of options took 120 ms of the main thread. */
const maxOptionsBytes = 256 * 1024
const maxFramingBytes = 64 * 1024

export interface ArrivingForm {
  stream: Readable
  headers: IncomingHttpHeaders
  budget: BudgetedBody
  onReserved(): void
  rejected: AbortSignal
}

export async function readForm(form: ArrivingForm): Promise<Form> {
  const { headers, budget } = form
  const length = headers['content-length'] === undefined ? maxUploadBytes : Number(headers['content-length'])
  if (length > maxUploadBytes + maxOptionsBytes + maxFramingBytes) throw createTooLargeError()
  // Bytes are reserved for the entire form before the file is written, so uploads that never end cannot fill the disk.
  await budget.reserve(length)
  form.onReserved()
  const { path, remove } = await createTemporaryFolder('upload')
  try {
    const { upload, options } = await receiveForm(form, join(path, 'file'))
    if (!upload) throw createBadRequest('The form has no file. Send it in the part "file", with a file name.')
    return { upload, options: options === undefined ? {} : readOptions(options), remove }
  } catch (thrown) {
    await remove()
    throw thrown
  }
}

async function receiveForm({ stream: body, headers, budget, rejected }: ArrivingForm, path: string) {
  const form: { upload?: Upload; options?: string } = {}
  const pendingWrites: Promise<void>[] = []
  const writeAbort = new AbortController()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const parser = createParser(headers)
  const onFile: BusboyEvents['file'] = (field, stream, name, _, mediaType) => {
    stream.on('limit', () => reject(createTooLargeError()))
    if (field !== 'file' || form.upload) {
      reject(
        createBadRequest(field === 'file' ? 'Send one file per call.' : `The part "${field}" is not known.`),
      )
      return void stream.resume()
    }
    const upload = { path, name: toUploadName(name ?? ''), mediaType, size: 0 }
    form.upload = upload
    const write = async () => {
      upload.size = await writeTemporaryStream(path, stream, writeAbort.signal)
    }
    const writePromise = write()
    // A failed write rejects immediately, and also after the entire form is read.
    writePromise.catch(reject)
    pendingWrites.push(writePromise)
  }
  const onField: BusboyEvents['field'] = (field, value, _, isTruncated) => {
    const tooLong = `The field "${field}" is larger than ${maxOptionsBytes / 1024} KB.`
    if (isTruncated) reject(new AppError('REQUEST_TOO_LARGE', {}, { message: tooLong }))
    else if (field !== 'options')
      reject(createBadRequest(`The field "${field}" is not known. Send "file" and "options".`))
    else form.options = value
  }
  parser.on('file', listener(onFile, reject))
  parser.on('field', listener(onField, reject))
  parser.on('finish', resolve)
  parser.on('error', (thrown) => reject(createMalformedError(thrown)))
  // `finished` also reports a client that disconnected while the folder was created.
  finished(body, { writable: false }, (error) => error && reject(createBadRequest(incompleteBodyMessage)))
  const onRejected = () => reject(rejected.reason)
  if (rejected.aborted) onRejected()
  rejected.addEventListener('abort', onRejected, { once: true })
  const countArrived = listener((part: Buffer) => budget.add(part.length), reject)
  body.on('data', countArrived)
  body.pipe(parser)
  try {
    await promise
    budget.complete()
    await Promise.all(pendingWrites)
  } catch (thrown) {
    // The rest is read and discarded: a client whose connection closes while it is writing gets no response.
    body.off('data', countArrived).unpipe(parser)
    body.resume()
    // Without the abort, a file that is still being opened would be created in a folder that is being removed.
    writeAbort.abort()
    await Promise.allSettled(pendingWrites)
    throw thrown
  }
  return form
}

const incompleteBodyMessage = 'The body ended before the form was complete.'

function createParser(headers: IncomingHttpHeaders): BusboyInstance {
  try {
    return new Busboy({
      // The cast is safe: the content-type parser already required the header.
      headers: headers as BusboyHeaders,
      limits: { fileSize: maxUploadBytes, files: 2, fields: 10, fieldSize: maxOptionsBytes, parts: 12 },
    })
  } catch (thrown) {
    throw createMalformedError(thrown)
  }
}

function readOptions(text: string): unknown {
  if (text.trim() === '') return {}
  const options = readJson(Buffer.from(text))
  if (isObject(options)) return options
  throw createBadRequest('The field "options" is the text of a JSON object.')
}

const createTooLargeError = (): AppError => new AppError('UPLOAD_TOO_LARGE', { maxBytes: maxUploadBytes })

function createBadRequest(message: string, cause?: unknown): AppError {
  return new AppError('BAD_REQUEST', { details: [] }, { message, cause })
}

const createMalformedError = (cause: unknown) =>
  createBadRequest('The body is not valid multipart/form-data.', cause)

/** Includes line separators and bidirectional formatting, which change the visible order of a name. */
const unprintable = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f\ufeff]/gu

/** The name is safe to show and store: without folders and characters that hide or reorder text. */
export function toUploadName(fileName: string): string {
  if (fileName.length > bounds.MAX_FILE_NAME_LENGTH.most)
    throw boundError('MAX_FILE_NAME_LENGTH', 'The file name is too long. ')
  const name = fileName.toWellFormed().replaceAll(unprintable, '').split(/[\\/]/).at(-1)?.trim() ?? ''
  return name === '.' || name === '..' ? '' : name
}
