import { readFile } from 'node:fs/promises'
import { withoutPlaces } from '../base/without-places.ts'
import { detectCharset } from './charset.ts'
import { checkDocument } from './check.ts'
import { type Conversion, type ConversionOrder, DocumentProblem } from './document.ts'
import { askForTurnsBy } from './ocr/turn.ts'
import type { RecogniserAsk, RecogniserGrant } from './recogniser-turns.ts'
import { sniff } from './sniff.ts'
import type { DocumentType } from './types/document-type.ts'

async function run({ path, name, mediaType, options }: ConversionOrder): Promise<Conversion> {
  const bytes = await readFile(path)
  const type = sniff({ bytes, name, mediaType })
  checkDocument(bytes, type)
  const [label] = type.mediaTypes
  if (!type.converter) return { kind: 'page', mediaType: withCharset(label, bytes, type) }
  if (!options.parses && type.name === 'pdf') return { kind: 'raw', mediaType: label }
  if (!options.parses && type.name === 'image') {
    throw new DocumentProblem('unsupported', 'Images are not supported with an empty list of parsers.')
  }
  const { convert } = await type.converter()
  return { kind: 'converted', mediaType: label, document: await convert(bytes, type, options) }
}

/** Markup says what it is encoded in; plain text has to be looked at. */
function withCharset(mediaType: string, bytes: Buffer, type: DocumentType): string {
  return type.name === 'txt' || type.name === 'md'
    ? `${mediaType}; charset=${detectCharset(bytes)}`
    : mediaType
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

/** Whatever a library throws, the file is to blame: this process does nothing else. */
function problemOf(thrown: unknown): { kind: string; message: string } {
  if (thrown instanceof DocumentProblem) return { kind: thrown.kind, message: withoutPlaces(thrown.message) }
  const reason = thrown instanceof Error ? thrown.message : String(thrown)
  return { kind: 'damaged', message: `The file could not be read: ${withoutPlaces(reason.slice(0, 300))}` }
}
