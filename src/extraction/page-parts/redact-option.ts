import { z } from 'zod'
import { boundedList } from '../../platform/bounded.ts'
import { entities, redactionModes } from '../redaction/pii-match.ts'
import { type Redaction, replaceStyles } from '../redaction/redact.ts'

const redactOptions = z
  .strictObject({
    mode: z
      .enum(redactionModes)
      .default('accurate')
      .describe(
        'accurate: matches with a checksum, a distinctive shape or a nearby keyword. aggressive: any matching shape. fast: only checksums and distinctive shapes.',
      ),
    entities: boundedList(z.enum(entities), 'MAX_ENTITIES')
      .min(1)
      .default([...entities])
      .describe('Kinds of personal data. Default: all.'),
    replaceStyle: z
      .enum(replaceStyles)
      .default('tag')
      .describe(
        'tag: the name of the kind, such as <EMAIL>. mask: a block for each character. remove: no replacement.',
      ),
  })
  .meta({ id: 'RedactPII' })

export const redactPII = z
  .union([z.boolean(), redactOptions])
  .optional()
  .describe('Redact personal data in the Markdown and in formats derived from it.')

export type RedactOption = z.output<typeof redactPII>

export function redactionOf(option: RedactOption): Redaction | undefined {
  if (option === undefined || option === false) return undefined
  return option === true ? redactOptions.parse({}) : option
}

/** Patterns cannot find some entities, and some formats are not redacted. */
export function redactionWarnings(redaction: Redaction | undefined, unredacted: readonly string[]): string[] {
  if (!redaction) return []
  const undetectable = [
    ...(redaction.entities.includes('PERSON') ? ['names of people'] : []),
    ...(redaction.entities.includes('LOCATION') ? ['places'] : []),
  ]
  const warnings: string[] = []
  if (undetectable.length > 0)
    warnings.push(`redactPII: ${undetectable.join(' and ')} are not redacted: that needs a language model.`)
  if (unredacted.length > 0)
    warnings.push(`redactPII acts on the Markdown and what is made of it, not on: ${unredacted.join(', ')}.`)
  return warnings
}
