import { z } from 'zod'
import { changeTracking, diffFile } from '../../extraction/formats/change-tracking.ts'
import { document } from '../../features/scrape/schema.ts'
import { JsonText } from '../../platform/json/json.ts'
import { type MemberPiece, memberScanner } from '../../platform/json/json-members.ts'

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
  const { diff, diffJson, ...rest }: Fields = { ...(given as object) }
  return { ...rest, ...(diff === undefined ? {} : { diff: { text: diff, json: diffJson } }) }
}

/** The size of the result is not known before it is written, so it is estimated. */
const added = 64

/** A document of a job, as it was stored. Which name its values were asked for by is not known, so they have both. */
export function storedInV1(given: JsonText): JsonText {
  return new JsonText(given.size + added, () => rewritten(given))
}

/**
 * Rewrites the JSON of a document into that of the first version while it is read, without parsing it: a copy of `json` is added as
 * `extract`, and `diff` and `diffJson` of `changeTracking`, which stand side by side, become one `diff` of `text` and `json`.
 */
async function* rewritten(text: JsonText): AsyncGenerator<Uint8Array> {
  const [scanDocument, scanTracked] = [memberScanner(), memberScanner()]
  const copies: Uint8Array[] = []
  for await (const chunk of text.chunks()) {
    for (const { name, lead, bytes, isLast } of scanDocument(chunk)) {
      if (lead !== '') yield Buffer.from(lead, 'latin1')
      if (name === 'changeTracking') yield* scanTracked(bytes).flatMap(inOneDiff)
      else yield bytes
      if (name !== 'json') continue
      // A view would hold the whole chunk.
      copies.push(bytes.slice())
      if (isLast) yield* [Buffer.from(',"extract":'), ...copies]
    }
  }
}

function inOneDiff({ name, lead, bytes, isLast }: MemberPiece): Uint8Array[] {
  const isFiles = name === 'diffJson'
  const before = isFiles ? lead.replace(name, 'json') : lead
  const opening = name === 'diff' && lead !== '' ? '{"text":' : ''
  const closing = isFiles && isLast ? '}' : ''
  return [Buffer.from(before + opening, 'latin1'), bytes, Buffer.from(closing)].filter(isFilled)
}

const isFilled = ({ length }: Uint8Array) => length > 0
