import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { finished, type Readable } from 'node:stream'
import { Busboy, type BusboyEvents, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import { bounds } from '../../platform/bounds.ts'
import { AppError } from '../../platform/errors.ts'
import { listener } from '../../platform/functions.ts'
import { createTemporaryFolder, writeTemporaryStream } from '../../platform/temporary-files.ts'
import type { BudgetedBody } from '../connections/request-budget.ts'
import { readJson } from './read-json.ts'
import { boundError } from './request-bounds.ts'

/** A file that was sent along with a call. It exists until the call has been answered. */
export interface Upload {
  path: string
  name: string
  mediaType: string | undefined
  size: number
}

export interface Form {
  upload: Upload
  /** The JSON of the field `options`; an empty object where it is missing. */
  options: unknown
  remove(): Promise<void>
}

const largestUpload = 50 * 1024 * 1024
/** Two of the largest schemas, and all other options. Reading 1 MB of them took 120 ms of the main thread. */
const largestOptions = 256 * 1024
/** Boundaries, names and types of the parts. */
const largestFrame = 64 * 1024

/** A form as it arrives, and the budget on which its bytes are counted. */
export interface ArrivingForm {
  stream: Readable
  headers: IncomingHttpHeaders
  budget: BudgetedBody
  /** Called when bytes are reserved for the form, before any of them is read. */
  onReserved(): void
  /** Aborts when the form must not go on. */
  refused: AbortSignal
}

/** One file and its options, in any order. The file goes to the disk as it comes and is cut off at the limit. */
export async function readForm(form: ArrivingForm): Promise<Form> {
  const { headers, budget } = form
  const length = headers['content-length'] === undefined ? largestUpload : Number(headers['content-length'])
  if (length > largestUpload + largestOptions + largestFrame) throw tooLarge()
  // Nothing is written before there is room for all of it, so that uploads that never end cannot fill the disk.
  await budget.reserve(length)
  form.onReserved()
  const { path, remove } = await createTemporaryFolder('upload')
  try {
    const { upload, options } = await receive(form, join(path, 'file'))
    if (!upload) throw bad('The form has no file. Send it in the part "file", with a file name.')
    return { upload, options: options === undefined ? {} : readOptions(options), remove }
  } catch (thrown) {
    await remove()
    throw thrown
  }
}

async function receive({ stream: body, headers, budget, refused }: ArrivingForm, path: string) {
  const form: { upload?: Upload; options?: string } = {}
  const written: Promise<void>[] = []
  const writing = new AbortController()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const parser = startParser(headers)
  const file: BusboyEvents['file'] = (field, stream, name, _, mediaType) => {
    stream.on('limit', () => reject(tooLarge()))
    if (field !== 'file' || form.upload) {
      reject(bad(field === 'file' ? 'Send one file per call.' : `The part "${field}" is not known.`))
      return void stream.resume()
    }
    const upload = { path, name: toUploadName(name ?? ''), mediaType, size: 0 }
    form.upload = upload
    const write = async () => {
      upload.size = await writeTemporaryStream(path, stream, writing.signal)
    }
    const writes = write()
    // A failed write ends the call at once, and also after the whole form was read.
    writes.catch(reject)
    written.push(writes)
  }
  const text: BusboyEvents['field'] = (field, value, _, isCut) => {
    const tooLong = `The field "${field}" is larger than ${largestOptions / 1024} KB.`
    if (isCut) reject(new AppError('REQUEST_TOO_LARGE', {}, { message: tooLong }))
    else if (field !== 'options') reject(bad(`The field "${field}" is not known. Send "file" and "options".`))
    else form.options = value
  }
  parser.on('file', listener(file, reject))
  parser.on('field', listener(text, reject))
  parser.on('finish', resolve)
  parser.on('error', (thrown) => reject(malformed(thrown)))
  // Not by its events, which come only once: the sender may have gone while the folder was made.
  finished(body, { writable: false }, (broken) => broken && reject(bad(cutShort)))
  const onRefused = () => reject(refused.reason)
  if (refused.aborted) onRefused()
  refused.addEventListener('abort', onRefused, { once: true })
  const countArrived = listener((part: Buffer) => budget.add(part.length), reject)
  body.on('data', countArrived)
  body.pipe(parser)
  try {
    await promise
    budget.complete()
    await Promise.all(written)
  } catch (thrown) {
    // The rest is read and thrown away: a connection that is cut while the caller writes shows no answer.
    body.off('data', countArrived).unpipe(parser)
    body.resume()
    // A file that is still being opened would come into being in a folder that is being removed.
    writing.abort()
    await Promise.allSettled(written)
    throw thrown
  }
  return form
}

const cutShort = 'The body ended before the form was complete.'

function startParser(headers: IncomingHttpHeaders): BusboyInstance {
  try {
    return new Busboy({
      // The caller has asked for the content type before it came here; the parser's type does not know that.
      headers: headers as BusboyHeaders,
      limits: { fileSize: largestUpload, files: 2, fields: 10, fieldSize: largestOptions, parts: 12 },
    })
  } catch (thrown) {
    throw malformed(thrown)
  }
}

function readOptions(text: string): unknown {
  if (text.trim() === '') return {}
  const options = readJson(Buffer.from(text))
  if (typeof options === 'object' && options !== null && !Array.isArray(options)) return options
  throw bad('The field "options" is the text of a JSON object.')
}

function tooLarge(): AppError {
  return new AppError('UPLOAD_TOO_LARGE', { maxBytes: largestUpload })
}

function bad(message: string, cause?: unknown): AppError {
  return new AppError('BAD_REQUEST', { details: [] }, { message, cause })
}

const malformed = (cause: unknown) => bad('The body is not valid multipart/form-data.', cause)

/** Control characters, line separators, and characters that show a name in another order than it has. */
const unprintable = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f\ufeff]/gu

/**
 * Returns the file name of an upload as it may be shown and stored: without folders and without characters that hide or
 * reorder other text. Throws BAD_REQUEST if it is longer than a file system would accept.
 */
export function toUploadName(sent: string): string {
  if (sent.length > bounds.MAX_FILE_NAME_LENGTH.most)
    throw boundError('MAX_FILE_NAME_LENGTH', 'The file name is too long. ')
  const name = sent.toWellFormed().replaceAll(unprintable, '').split(/[\\/]/).at(-1)?.trim() ?? ''
  return name === '.' || name === '..' ? '' : name
}
