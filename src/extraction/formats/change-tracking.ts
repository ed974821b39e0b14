import { z } from 'zod'
import { changeStatuses } from '../../content/diff.ts'
import { boundedList, boundedText } from '../../platform/bounded.ts'
import { defineFormat } from './format.ts'
import { checkSchema, promptOption, schemaOption } from './values/options.ts'
import { valuesToTrack, warnAboutComparison } from './values/tracked.ts'

const line = z.int().describe('Line number, from 1.')

const yes = z.literal(true).optional()
const change = z.object({
  ...{ type: z.enum(['add', 'del', 'normal']), add: yes, del: yes, normal: yes },
  ...{ ln: line.optional(), ln1: line.optional(), ln2: line.optional(), content: z.string() },
})

export const diffFile = z.object({
  from: z.string().nullable(),
  to: z.string().nullable(),
  chunks: z.array(z.object({ content: z.string(), changes: z.array(change) })),
})

const trackingResult = z.object({
  previousScrapeAt: z.iso.datetime().nullable().describe('Time of the fetch of the previous version.'),
  changeStatus: z
    .enum(changeStatuses)
    .describe('removed: the page returns 404 or 410. With mode json, a different value is also a change.'),
  visibility: z.enum(['visible', 'hidden']),
  diff: z.string().optional().describe('Unified diff of the Markdown, with mode git-diff.'),
  // A separate field, because `diff` is documented as a string.
  diffJson: z
    .object({ files: z.array(diffFile) })
    .optional()
    .describe('The same diff as structured data.'),
  json: z
    .record(z.string(), z.object({ previous: z.unknown(), current: z.unknown() }))
    .optional()
    .describe('With mode json: changed fields by path; null for a value that was not read.'),
})

export const changeTracking = defineFormat({
  name: 'changeTracking',
  description: 'Changes of the page since the team last tracked it. Needs the format markdown.',
  readsFrom: 'history',
  isDerivedFromMarkdown: true,
  usesModel: true,
  surcharge: ({ modes }) => (modes.includes('json') ? 4 : 0),
  requires: ['markdown'],
  options: {
    modes: boundedList(z.enum(['git-diff', 'json']), 'MAX_MODES')
      .default([])
      .describe('Representation of changes: git-diff for changed lines; json for changed values.'),
    schema: schemaOption().describe('With mode json: JSON schema of the compared values.'),
    prompt: promptOption().describe(
      'With mode json: description of the values in natural language. Only a language model uses it.',
    ),
    tag: boundedText('MAX_TAG_LENGTH')
      .min(1)
      .nullable()
      .default(null)
      .describe('Name of a separate history of the same page.'),
  },
  output: {
    changeTracking: trackingResult
      .meta({ id: 'ChangeTracking' })
      .describe('Changes since the previous version.'),
  },
  check({ modes, schema, prompt }) {
    if (modes.includes('json')) return checkSchema({ schema, prompt })
    const isGiven = (value: unknown) => (value ?? undefined) !== undefined
    const option = isGiven(schema) ? 'schema' : isGiven(prompt) ? 'prompt' : undefined
    return option === undefined
      ? undefined
      : { option, problem: `${option} belongs to mode json: add "json" to modes.` }
  },
  reads: ({ modes, schema }) => ({
    tracked: true,
    ...(modes.includes('json') && { trackedValues: { schema: schema ?? {} } }),
  }),
  async render(content, { modes, tag, ...valueOptions }, context) {
    const { history, page } = context
    if (!history) return { unavailable: 'changeTracking: nothing of this call may be stored.' }
    const showsDifference = modes.includes('git-diff')
    // An error page is not a version of the page.
    const comparesValues = modes.includes('json') && page.status < 400
    const values = comparesValues ? await valuesToTrack(content, valueOptions, context) : undefined
    if (values === undefined) context.waive()
    const comparison = await history.compare(content.tracked(), { tag, showsDifference, values })
    if ('reason' in comparison) return { unavailable: `changeTracking: ${comparison.reason}` }
    if (values !== undefined) warnAboutComparison(context, comparison)
    const { changeStatus, previousAt, difference } = comparison
    const changes = changeStatus === 'changed' ? comparison.values?.changes : undefined
    return {
      changeTracking: {
        previousScrapeAt: previousAt === undefined ? null : new Date(previousAt).toISOString(),
        changeStatus,
        visibility: 'visible' as const,
        ...(difference ? { diff: difference.text, diffJson: { files: difference.files } } : {}),
        ...(changes ? { json: changes } : {}),
      },
    }
  },
})
