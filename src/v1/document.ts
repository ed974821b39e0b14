import { z } from 'zod'
import { JsonText } from '../base/json.ts'
import { document } from '../features/scrape/schema.ts'
import { changeTracking, diffFile } from '../formats/change-tracking.ts'

/**
 * Rewrites the JSON of a document into that of the first version while it is read, without parsing it: a copy of `json` is added as
 * `extract`, and `diff` and `diffJson` of `changeTracking`, which stand side by side, become one `diff` of `text` and `json`.
 */
export async function* rewritten(text: JsonText, whole: 'document' | 'tracked'): AsyncGenerator<Uint8Array> {
  const reader = new Rewriter(whole)
  for await (const chunk of text.chunks()) yield* reader.take(chunk)
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

/** How keys of `changeTracking` go on in the first version, with what their values begin and end with. */
const trackedKeys = new Map([
  ['diff', { name: 'diff', before: '{"text":', after: '' }],
  ['diffJson', { name: 'json', before: '', after: '}' }],
])

/** Knows where in the document it is: how deep, in which key, in a string or not. */
class Rewriter {
  private depth: number
  private isInTracked: boolean
  private isInString = false
  private isEscaped = false
  private isKeyNext = false
  /** The key that is being read. */
  private name: string | undefined
  /** The last key of the document, and that of its `changeTracking`. */
  private key = ''
  private trackedKey = ''
  /** The value of `json` so far. */
  private copies: Uint8Array[] | undefined
  private copiedTo = 0
  private writtenTo = 0
  private out: Uint8Array[] = []

  constructor(whole: 'document' | 'tracked') {
    this.isInTracked = whole === 'tracked'
    this.depth = this.isInTracked ? 1 : 0
  }

  take(chunk: Uint8Array): Uint8Array[] {
    this.out = []
    this.writtenTo = 0
    this.copiedTo = 0
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0
      if (this.isInString) this.readString(chunk, at, byte)
      else this.read(chunk, at, byte)
    }
    // A key of `changeTracking` is written when its end has been seen.
    if (!this.holdsKey()) this.write(chunk, chunk.length)
    this.copies?.push(chunk.slice(this.copiedTo))
    return this.out
  }

  private readString(chunk: Uint8Array, at: number, byte: number): void {
    if (this.isEscaped) this.isEscaped = false
    else if (byte === backslash) this.isEscaped = true
    else if (byte === quote) {
      this.isInString = false
      if (this.name !== undefined) this.endKey(at, this.name)
      return
    }
    if (this.name !== undefined) this.name += String.fromCharCode(byte)
    if (this.holdsKey()) this.writtenTo = Math.min(at + 1, chunk.length)
  }

  private read(chunk: Uint8Array, at: number, byte: number): void {
    if (byte === quote) {
      this.isInString = true
      if (!this.isKeyNext) return
      this.isKeyNext = false
      this.name = ''
      if (!this.holdsKey()) return
      this.write(chunk, at)
      this.writtenTo = at + 1
    } else if (byte === colon) this.beginValue(chunk, at)
    else if (byte === comma || byte === closeBrace || byte === closeBracket) {
      this.endValue(chunk, at)
      if (byte === comma) this.isKeyNext = this.isAmongKeys()
      else this.depth -= 1
    } else if (byte === openBrace || byte === openBracket) {
      this.depth += 1
      this.isKeyNext = byte === openBrace && this.isAmongKeys()
    }
  }

  private isAmongKeys(): boolean {
    return this.depth === 1 ? !this.isAlone() : this.depth === 2 && this.isInTracked
  }

  /** `changeTracking` without the document around it. */
  private isAlone(): boolean {
    return this.isInTracked && this.key === ''
  }

  private holdsKey(): boolean {
    return this.name !== undefined && this.depth === 2
  }

  private endKey(at: number, name: string): void {
    if (this.depth === 2) {
      this.trackedKey = name
      this.add(`"${trackedKeys.get(name)?.name ?? name}"`)
      this.writtenTo = at + 1
    } else this.key = name
    this.name = undefined
  }

  private beginValue(chunk: Uint8Array, at: number): void {
    if (this.depth === 2 && this.isInTracked) {
      this.write(chunk, at + 1)
      this.add(trackedKeys.get(this.trackedKey)?.before ?? '')
    }
    if (this.depth !== 1) return
    this.isInTracked = this.key === 'changeTracking'
    if (this.key !== 'json') return
    this.copies = []
    this.copiedTo = at + 1
  }

  private endValue(chunk: Uint8Array, at: number): void {
    if (this.depth === 2 && this.isInTracked) {
      this.write(chunk, at)
      this.add(trackedKeys.get(this.trackedKey)?.after ?? '')
      this.trackedKey = ''
    }
    if (this.depth !== 1 || !this.copies) return
    this.write(chunk, at)
    this.add(',"extract":')
    this.out.push(...this.copies, chunk.slice(this.copiedTo, at))
    this.copies = undefined
  }

  private write(chunk: Uint8Array, to: number): void {
    if (to > this.writtenTo) this.out.push(chunk.subarray(this.writtenTo, to))
    this.writtenTo = Math.max(this.writtenTo, to)
  }

  private add(text: string): void {
    if (text !== '') this.out.push(Buffer.from(text))
  }
}

const { diffJson: _, ...tracked } = changeTracking.output.changeTracking.shape

/** A document as clients of the first version read it. */
export const v1Document = document
  .extend({
    extract: z.unknown().optional().describe('The values of the page, under the older name of json.'),
    changeTracking: z
      .object({
        ...tracked,
        diff: z
          .object({ text: z.string(), json: z.object({ files: z.array(diffFile) }) })
          .optional()
          .describe('With mode git-diff: the lines that differ, as text and in parts.'),
      })
      .meta({ id: 'V1ChangeTracking' })
      .optional(),
  })
  .meta({ id: 'V1Document' })

type Fields = Record<string, unknown>

/** The document of a scrape. Values go by the name of the format that asked for them. */
export function documentInV1(given: unknown, formats: readonly string[]): unknown {
  if (given instanceof JsonText) return storedInV1(given)
  if (typeof given !== 'object' || given === null) return given
  const { json, changeTracking: tracked, ...rest }: Fields = { ...given }
  return {
    ...rest,
    ...(json === undefined ? {} : { [formats.includes('extract') ? 'extract' : 'json']: json }),
    ...(tracked === undefined ? {} : { changeTracking: trackedInV1(tracked) }),
  }
}

function trackedInV1(given: unknown): unknown {
  if (given instanceof JsonText) return new JsonText(given.size + added, () => rewritten(given, 'tracked'))
  const { diff, diffJson, ...rest }: Fields = { ...(given as object) }
  return { ...rest, ...(diff === undefined ? {} : { diff: { text: diff, json: diffJson } }) }
}

/** About as much longer does a stored document become; nobody needs to know it exactly. */
const added = 64

/** A document of a job, as it was stored. Which name its values were asked for by is not known, so they have both. */
export function storedInV1(given: JsonText): JsonText {
  return new JsonText(given.size + added, () => rewritten(given, 'document'))
}
