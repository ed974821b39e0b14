import { readFile } from 'node:fs/promises'
import { serveProcess } from '../platform/child/serve-requests.ts'
import { AppError } from '../platform/errors.ts'
import { stripInternalAddresses } from '../platform/safe-errors.ts'
import { isNoSpaceError } from '../platform/temporary-files.ts'
import { checkDocument } from './check.ts'
import { convertBytes } from './convert-bytes.ts'
import { type ConversionRequest, DocumentProblem } from './document.ts'
import { connectParent } from './ocr/turn.ts'
import { sniff } from './sniff.ts'

serveProcess(async ({ path, name, mediaType, options }: ConversionRequest, context) => {
  connectParent(context)
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
