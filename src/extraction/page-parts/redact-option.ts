import { z } from 'zod'
import { list } from '../../platform/bounded.ts'
import { entities, redactionModes } from '../redaction/pii-match.ts'
import { type Redaction, replaceStyles } from '../redaction/redact.ts'

const redactOptions = z
  .strictObject({
    mode: z
      .enum(redactionModes)
      .default('accurate')
      .describe(
        'accurate: what a checksum, a shape of its own or a word beside it proves. aggressive: a shape alone is enough. fast: checksums and shapes of their own only.',
      ),
    entities: list(z.enum(entities), 'MAX_ENTITIES')
      .min(1)
      .default([...entities])
      .describe('Kinds of personal data. Default: all.'),
    replaceStyle: z
      .enum(replaceStyles)
      .default('tag')
      .describe(
        'tag: the name of the kind, such as <EMAIL>. mask: a block for each character. remove: nothing.',
      ),
  })
  .meta({ id: 'RedactPII' })

/** The option of a call. */
export const redactPII = z
  .union([z.boolean(), redactOptions])
  .optional()
  .describe('Redact personal data in the Markdown and in what is made of it.')

export type RedactOption = z.output<typeof redactPII>

/** What the option asks for; undefined if it is not given or switched off. */
export function redactionOf(option: RedactOption): Redaction | undefined {
  if (option === undefined || option === false) return undefined
  return option === true ? redactOptions.parse({}) : option
}

/** What a reader of the result should know: which kinds patterns cannot find, and which formats keep what they say. */
export function redactionWarnings(redaction: Redaction | undefined, untouched: readonly string[]): string[] {
  if (!redaction) return []
  const unfound = [
    ...(redaction.entities.includes('PERSON') ? ['names of people'] : []),
    ...(redaction.entities.includes('LOCATION') ? ['places'] : []),
  ]
  return [
    ...(unfound.length > 0
      ? [`redactPII: ${unfound.join(' and ')} are not redacted: that needs a language model.`]
      : []),
    ...(untouched.length > 0
      ? [`redactPII acts on the Markdown and what is made of it, not on: ${untouched.join(', ')}.`]
      : []),
  ]
}
