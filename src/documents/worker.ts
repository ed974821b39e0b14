import { readFile } from 'node:fs/promises'
import { withoutPlaces } from '../base/without-places.ts'
import { checkDocument } from './check.ts'
import { convertBytes } from './convert-bytes.ts'
import { type Conversion, type ConversionOrder, DocumentProblem } from './document.ts'
import { askForTurnsBy } from './ocr/turn.ts'
import type { RecogniserAsk, RecogniserGrant } from './recogniser-turns.ts'
import { sniff } from './sniff.ts'

async function run({ path, name, mediaType, options }: ConversionOrder): Promise<Conversion> {
  const bytes = await readFile(path)
  const type = sniff({ bytes, name, mediaType })
  checkDocument(bytes, type)
  return convertBytes(bytes, type, options)
}

const granted = new Map<number, () => void>()
let asked = 0

askForTurnsBy(async (signal) => {
  asked += 1
  const number = asked
  const done = () => {
    granted.delete(number)
    process.send?.({ hasRecognised: number } satisfies RecogniserAsk)
  }
  try {
    await new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      granted.set(number, resolve)
      process.send?.({ wantsRecogniser: number } satisfies RecogniserAsk)
    })
  } catch (thrown) {
    done()
    throw thrown
  }
  return done
})

process.on('message', (word: { order: ConversionOrder } | RecogniserGrant) => {
  if ('mayRecognise' in word) return granted.get(word.mayRecognise)?.()
  run(word.order).then(
    (conversion) => process.send?.({ conversion }),
    (thrown) => process.send?.({ problem: problemOf(thrown) }),
  )
})

process.on('disconnect', () => process.exit())

/** Any error of a library is caused by the file: this process does nothing else. */
function problemOf(thrown: unknown): { kind: string; message: string } {
  if (thrown instanceof DocumentProblem) return { kind: thrown.kind, message: withoutPlaces(thrown.message) }
  const reason = thrown instanceof Error ? thrown.message : String(thrown)
  return { kind: 'damaged', message: `The file could not be read: ${withoutPlaces(reason.slice(0, 300))}` }
}
