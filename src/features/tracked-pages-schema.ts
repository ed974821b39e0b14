import { z } from 'zod'
import { changeStatuses } from '../content/diff.ts'
import { diffFile } from '../formats/change-tracking.ts'

export const trackedPage = z
  .object({
    id: z.string(),
    url: z.string(),
    tag: z.string().nullable().describe('Name of the history; null: none was given.'),
    isRedacted: z
      .boolean()
      .describe('Personal data was taken out; such versions are a history of their own.'),
    versions: z.int().describe('Versions that are kept, ten at most.'),
    firstSeen: z.string(),
    lastSeen: z.string(),
    lastChange: z.string().describe('When the last version was first seen.'),
    changeStatus: z
      .enum(changeStatuses)
      .nullable()
      .describe('What the last comparison came to; null where that was not noted.'),
  })
  .meta({ id: 'TrackedPage' })

const pageVersion = z
  .object({
    id: z.string(),
    at: z.string().describe('When it was first seen.'),
    lastSeen: z.string().describe('When the page was last seen like this.'),
    size: z.int().nullable().describe('Bytes of its Markdown; null where that was not noted.'),
  })
  .meta({ id: 'PageVersion' })

export const trackedHistory = trackedPage
  .extend({ history: z.array(pageVersion) })
  .meta({ id: 'TrackedHistory' })

export const versionDifference = z.object({
  from: pageVersion,
  to: pageVersion,
  isSame: z.boolean().describe('They differ in white space at most.'),
  diff: z.string().optional().describe('Unified diff of the Markdown; absent where they are the same.'),
  diffJson: z
    .object({ files: z.array(diffFile) })
    .optional()
    .describe('The same in parts.'),
})
