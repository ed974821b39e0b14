import { readFile } from 'node:fs/promises'
import { serveProcess } from '../platform/child/serve-requests.ts'
import { AppError } from '../platform/errors.ts'
import { stripInternalAddresses } from '../platform/safe-errors.ts'
import { isNoSpaceError } from '../platform/temporary-files.ts'
import { checkDocument } from './check.ts'
import { convertBytes } from './convert-bytes.ts'
import { type ConversionRequest, DocumentProblem } from './document.ts'
import { connectParentPermits } from './ocr/turn.ts'
import type { OcrPermitGrant, OcrPermitRequest } from './recogniser-turns.ts'
import { sniff } from './sniff.ts'

const requests = new Map<number, () => void>()
let requestCount = 0
/** A process converts one file at a time. */
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

serveProcess(async ({ path, name, mediaType, options }: ConversionRequest, context) => {
  notify = context.notify
  // The parent process sends no other messages.
  context.onNote((message) => requests.get((message as OcrPermitGrant).grantedPermit)?.())
  try {
    const bytes = await readFile(path)
    const type = sniff({ bytes, name, mediaType })
    return { conversion: await convertBytes(checkDocument(bytes, type), type, options) }
  } catch (thrown) {
    return { problem: toProblem(thrown) }
  }
})

/** An error of a library is caused by the file, unless there was no disk space for the temporary files. */
function toProblem(thrown: unknown): { kind: string; message: string } {
  if (thrown instanceof DocumentProblem)
    return { kind: thrown.kind, message: stripInternalAddresses(thrown.message) }
  const reason = (thrown instanceof Error ? thrown.message : String(thrown)).slice(0, 300)
  const message = stripInternalAddresses(reason)
  if (isNoSpaceError(thrown) || (thrown instanceof AppError && thrown.code === 'TEMPORARY_FOLDER_FULL'))
    return { kind: 'temporary-folder-full', message }
  return { kind: 'damaged', message: `The file could not be read: ${message}` }
}
