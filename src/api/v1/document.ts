import { z } from 'zod'
import { changeTracking, diffFile } from '../../extraction/formats/change-tracking.ts'
import { document } from '../../features/scrape/schema.ts'
import { JsonText } from '../../platform/json/json.ts'
import { createMemberScanner, type MemberPiece } from '../../platform/json/json-members.ts'

const { diffJson: _, ...tracked } = changeTracking.output.changeTracking.shape

export const v1Document = document
  .extend({
    extract: z.unknown().optional().describe('The values of the page; older name of json.'),
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

export function toV1Document(value: unknown, formats: readonly string[]): unknown {
  if (value instanceof JsonText) return toV1JsonText(value)
  if (typeof value !== 'object' || value === null) return value
  const { json, changeTracking: tracked, ...rest }: Fields = { ...value }
  return {
    ...rest,
    ...(json === undefined ? {} : { [formats.includes('extract') ? 'extract' : 'json']: json }),
    ...(tracked === undefined ? {} : { changeTracking: toV1Tracking(tracked) }),
  }
}

function toV1Tracking(value: unknown): unknown {
  const { diff, diffJson, ...rest }: Fields = { ...(value as object) }
  return { ...rest, ...(diff === undefined ? {} : { diff: { text: diff, json: diffJson } }) }
}

/** Estimated growth in bytes: the size of the result is unknown before it is written. */
const addedBytes = 64

/** The name under which the values were requested is unknown here, so they get both names. */
export function toV1JsonText(stored: JsonText): JsonText {
  return new JsonText(stored.size + addedBytes, () => rewrite(stored))
}

/** Streams without parsing: `json` is copied as `extract`, `diff` and `diffJson` become one `diff`. */
async function* rewrite(text: JsonText): AsyncGenerator<Uint8Array> {
  const [scanDocument, scanTracking] = [createMemberScanner(), createMemberScanner()]
  const copies: Uint8Array[] = []
  for await (const chunk of text.chunks()) {
    for (const { name, lead, bytes, isLast } of scanDocument(chunk)) {
      if (lead !== '') yield Buffer.from(lead, 'latin1')
      if (name === 'changeTracking') yield* scanTracking(bytes).flatMap(mergeDiffFields)
      else yield bytes
      if (name !== 'json') continue
      // Copied, because a view would retain the whole chunk.
      copies.push(bytes.slice())
      if (isLast) yield* [Buffer.from(',"extract":'), ...copies]
    }
  }
}

function mergeDiffFields({ name, lead, bytes, isLast }: MemberPiece): Uint8Array[] {
  const isDiffJson = name === 'diffJson'
  const before = isDiffJson ? lead.replace(name, 'json') : lead
  const opening = name === 'diff' && lead !== '' ? '{"text":' : ''
  const closing = isDiffJson && isLast ? '}' : ''
  return [Buffer.from(before + opening, 'latin1'), bytes, Buffer.from(closing)].filter(
    ({ length }) => length > 0,
  )
}
