import { readFile } from 'node:fs/promises'
import { serveProcess } from '../platform/child/serve-requests.ts'
import { AppError } from '../platform/errors.ts'
import { stripInternalAddresses } from '../platform/safe-errors.ts'
import { isNoSpaceError } from '../platform/temporary-files.ts'
import { checkDocument } from './check.ts'
import { convertBytes } from './convert-bytes.ts'
import { type Conversion, type ConversionRequest, DocumentProblem } from './document.ts'
import { connectParentPermits } from './ocr/turn.ts'
import type { OcrPermitGrant, OcrPermitRequest } from './recogniser-turns.ts'
import { sniff } from './sniff.ts'

async function run({ path, name, mediaType, options }: ConversionRequest): Promise<Conversion> {
  const bytes = await readFile(path)
  const type = sniff({ bytes, name, mediaType })
  return convertBytes(checkDocument(bytes, type), type, options)
}

/** Resolve functions of the pending and granted requests for OCR permits, by number. */
const requests = new Map<number, () => void>()
let requestCount = 0
/** Sends a message to the parent process about the current file. A process converts one file at a time. */
let notify: (request: OcrPermitRequest) => void = () => {}

connectParentPermits(async (signal) => {
  requestCount += 1
  const number = requestCount
  // Also called for an aborted request: the parent process then removes the request.
  const release = () => {
    requests.delete(number)
    notify({ releasedPermit: number })
  }
  try {
    await new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      requests.set(number, resolve)
      notify({ requestedPermit: number })
    })
  } catch (thrown) {
    release()
    throw thrown
  }
  return release
})

serveProcess(async (request: ConversionRequest, context) => {
  notify = context.notify
  // The parent process sends no other messages.
  context.onNote((message) => requests.get((message as OcrPermitGrant).grantedPermit)?.())
  try {
    return { conversion: await run(request) }
  } catch (thrown) {
    return { problem: toProblem(thrown) }
  }
})

/**
 * Converts an error to a problem. An error of a library is caused by the file, unless there was no disk space for the
 * temporary files.
 */
function toProblem(thrown: unknown): { kind: string; message: string } {
  if (thrown instanceof DocumentProblem)
    return { kind: thrown.kind, message: stripInternalAddresses(thrown.message) }
  const reason = thrown instanceof Error ? thrown.message : String(thrown)
  if (isNoSpaceError(thrown) || (thrown instanceof AppError && thrown.code === 'TEMPORARY_FOLDER_FULL'))
    return { kind: 'temporary-folder-full', message: stripInternalAddresses(reason.slice(0, 300)) }
  return {
    kind: 'damaged',
    message: `The file could not be read: ${stripInternalAddresses(reason.slice(0, 300))}`,
  }
}
