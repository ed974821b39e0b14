import { z } from 'zod'
import { JsonText } from '../base/json-text.ts'
import { document } from '../features/scrape/schema.ts'
import { changeTracking, diffFile } from '../formats/change-tracking.ts'
import { rewritten } from './rewrite-document.ts'

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
