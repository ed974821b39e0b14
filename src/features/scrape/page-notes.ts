import { z } from 'zod'
import { storedJson } from '../../store/stored-json.ts'
import { keptPicture } from './kept-picture.ts'

const text = z.string().exactOptional()

const metadata = z
  .object({
    ...{ title: text, description: text, language: text, keywords: text },
    ogLocaleAlternate: z.array(z.string()).exactOptional(),
  })
  .catchall(z.union([z.string(), z.array(z.string()), z.undefined()]))

const notes = z.object({
  /** Undefined where the page has to be read again for it. */
  metadata: metadata.optional(),
  /** What every reader of the page should know. */
  warnings: z.array(z.string()).default([]),
  /** Of the service: another release may read a page in another way. */
  version: z.string(),
  picture: keptPicture.optional(),
})

/** What was read of a page when it was fetched. */
export type PageNotes = Pick<WrittenNotes, 'metadata' | 'warnings'>
export type WrittenNotes = z.output<typeof notes>

export const storedNotes = storedJson({ table: 'pages', column: 'notes' }, notes)
export const storedHeaders = storedJson(
  { table: 'pages', column: 'headers' },
  z.record(z.string(), z.string()),
)
