import { readFile } from 'node:fs/promises'
import { serveProcess } from '../platform/child/serve-requests.ts'
import { AppError } from '../platform/errors.ts'
import { stripInternalAddresses } from '../platform/safe-errors.ts'
import { isNoSpaceError } from '../platform/temporary-files.ts'
import { checkDocument } from './check.ts'
import { convertBytes } from './convert-bytes.ts'
import { type Conversion, type ConversionRequest, DocumentProblem } from './document.ts'
import { connectParentOcrQueue } from './ocr/turn.ts'
import type { OcrTurnGrant, OcrTurnRequest } from './recogniser-turns.ts'
import { sniff } from './sniff.ts'

async function run({ path, name, mediaType, options }: ConversionRequest): Promise<Conversion> {
  const bytes = await readFile(path)
  const type = sniff({ bytes, name, mediaType })
  return convertBytes(checkDocument(bytes, type), type, options)
}

const granted = new Map<number, () => void>()
let asked = 0
/** Of the file that is being converted: a process has one at a time. */
let notify: (ask: OcrTurnRequest) => void = () => {}

connectParentOcrQueue(async (signal) => {
  asked += 1
  const number = asked
  const done = () => {
    granted.delete(number)
    notify({ hasRecognised: number })
  }
  try {
    await new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      granted.set(number, resolve)
      notify({ wantsRecogniser: number })
    })
  } catch (thrown) {
    done()
    throw thrown
  }
  return done
})

serveProcess(async (order: ConversionRequest, context) => {
  notify = context.notify
  // The converter sends no other notes.
  context.onNote((note) => granted.get((note as OcrTurnGrant).mayRecognise)?.())
  try {
    return { conversion: await run(order) }
  } catch (thrown) {
    return { problem: problemOf(thrown) }
  }
})

/** An error of a library is caused by the file, unless there was no space for the temporary files of this process. */
function problemOf(thrown: unknown): { kind: string; message: string } {
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
