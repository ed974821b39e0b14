import { z } from 'zod'
import { anyJson, list, text } from '../base/bounded.ts'
import { changeStatuses } from '../content/diff.ts'
import { defineFormat } from './format.ts'

const comparesNoValues =
  'changeTracking: comparing values (mode json, schema, prompt) is not available in this version; available: git-diff.'

const line = z.int().describe('Number of the line, from 1.')

const change = z.object({
  type: z.enum(['add', 'del', 'normal']),
  add: z.literal(true).optional(),
  del: z.literal(true).optional(),
  normal: z.literal(true).optional(),
  ln: line.optional(),
  ln1: line.optional(),
  ln2: line.optional(),
  content: z.string(),
})

const file = z.object({
  from: z.string().nullable(),
  to: z.string().nullable(),
  chunks: z.array(z.object({ content: z.string(), changes: z.array(change) })),
})

const tracked = z.object({
  previousScrapeAt: z.iso.datetime().nullable().describe('When the previous version was fetched.'),
  changeStatus: z.enum(changeStatuses).describe('removed: the page returns 404 or 410.'),
  visibility: z.enum(['visible', 'hidden']),
  diff: z.string().optional().describe('Unified diff of the Markdown, with mode git-diff.'),
  // Next to the text, not inside it: `diff` is documented as a string, so callers that need the parts find them here.
  diffJson: z
    .object({ files: z.array(file) })
    .optional()
    .describe('The same in parts.'),
})

export const changeTracking = defineFormat({
  name: 'changeTracking',
  description: 'Changes of the page since the team last tracked it. Needs the format markdown.',
  needs: 'history',
  isOfMarkdown: true,
  requires: ['markdown'],
  options: {
    modes: list(z.enum(['git-diff', 'json']), 'MAX_MODES')
      .default([])
      .refine((modes) => !modes.includes('json'), comparesNoValues)
      .describe('How changes are shown: git-diff.'),
    schema: anyJson('MAX_SCHEMA_BYTES')
      .refine((schema) => schema === undefined, comparesNoValues)
      .optional()
      .describe('Belongs to mode json, which is not available.'),
    prompt: text('MAX_PROMPT_LENGTH')
      .refine(() => false, comparesNoValues)
      .optional()
      .describe('Belongs to mode json, which is not available.'),
    tag: text('MAX_TAG_LENGTH')
      .min(1)
      .nullable()
      .default(null)
      .describe('Name of a separate history of the same page.'),
  },
  output: {
    changeTracking: tracked.meta({ id: 'ChangeTracking' }).describe('Changes since the previous version.'),
  },
  reads: () => ({ tracked: true }),
  async render(content, { modes, tag }, { history }) {
    if (!history) return { unavailable: 'changeTracking: nothing of this call may be stored.' }
    const showsDifference = modes.includes('git-diff')
    const compared = await history.compare(content.tracked(), { tag, showsDifference })
    if ('reason' in compared) return { unavailable: `changeTracking: ${compared.reason}` }
    const { changeStatus, previousAt, difference } = compared
    return {
      changeTracking: {
        previousScrapeAt: previousAt === undefined ? null : new Date(previousAt).toISOString(),
        changeStatus,
        visibility: 'visible' as const,
        ...(difference ? { diff: difference.text, diffJson: { files: difference.files } } : {}),
      },
    }
  },
})
