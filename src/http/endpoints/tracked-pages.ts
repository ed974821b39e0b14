import { z } from 'zod'
import { text } from '../../base/bounded.ts'
import { changeStatuses } from '../../content/diff.ts'
import { diffFile } from '../../formats/change-tracking.ts'
import { defineEndpoint, envelope, ok } from '../endpoint.ts'

const trackedPage = z
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

const version = z
  .object({
    id: z.string(),
    at: z.string().describe('When it was first seen.'),
    lastSeen: z.string().describe('When the page was last seen like this.'),
    size: z.int().nullable().describe('Bytes of its Markdown; null where that was not noted.'),
  })
  .meta({ id: 'PageVersion' })

const pageId = z.object({ id: text('MAX_ID_LENGTH').describe('Id of the tracked page.') })

export const getTrackedPages = defineEndpoint({
  method: 'GET',
  path: '/v2/team/tracked-pages',
  summary: 'List the pages that the team tracks by changeTracking, those seen last first',
  tag: 'Team',
  query: z.object({
    search: text('MAX_SEARCH_LENGTH').optional().describe('Only pages whose URL contains this.'),
    before: text('MAX_CURSOR_LENGTH')
      .regex(/^\d{1,15}\.[0-9a-f]{64}$/, 'is the cursor of a list before')
      .optional()
      .describe('The cursor of the list before.'),
    limit: z.coerce.number().int().min(1).max(100).default(50).describe('Most pages in one answer.'),
  }),
  response: envelope({
    data: z.array(trackedPage),
    cursor: z.string().nullable(),
    has_more: z.boolean(),
  }),
  errors: [],
  async handle({ app, team, query }) {
    const { search, before, limit } = query
    const { pages, cursor } = await app.trackedPages(team, { search, before, limit })
    return ok({ data: pages, cursor, has_more: cursor !== null })
  },
})

export const getTrackedPage = defineEndpoint({
  method: 'GET',
  path: '/v2/team/tracked-pages/{id}',
  summary: 'Read a tracked page and its versions, the newest first',
  tag: 'Team',
  params: pageId,
  response: envelope({
    data: trackedPage.extend({ history: z.array(version) }).meta({ id: 'TrackedHistory' }),
  }),
  errors: ['TRACKED_PAGE_NOT_FOUND'],
  async handle({ app, team, params }) {
    return ok({ data: await app.trackedPage(team, params.id) })
  },
})

export const getTrackedDifference = defineEndpoint({
  method: 'GET',
  path: '/v2/team/tracked-pages/{id}/diff',
  summary: 'Read what is different between two versions of a tracked page',
  tag: 'Team',
  params: pageId,
  query: z.object({
    from: text('MAX_CURSOR_LENGTH').optional().describe('Id of the older version. Default: the one before.'),
    to: text('MAX_CURSOR_LENGTH').optional().describe('Id of the newer version. Default: the last one.'),
  }),
  response: envelope({
    data: z.object({
      from: version,
      to: version,
      isSame: z.boolean().describe('They differ in white space at most.'),
      diff: z.string().optional().describe('Unified diff of the Markdown; absent where they are the same.'),
      diffJson: z
        .object({ files: z.array(diffFile) })
        .optional()
        .describe('The same in parts.'),
    }),
  }),
  errors: ['TRACKED_PAGE_NOT_FOUND', 'VERSION_NOT_FOUND'],
  async handle({ app, team, params, query, signal }) {
    const asked = { id: params.id, from: query.from, to: query.to, signal: signal() }
    const { from, to, isSame, difference } = await app.trackedDifference(team, asked)
    // Long parts are JSON already, of the shape that is described.
    const shown = difference as { text: string; files: z.input<typeof diffFile>[] } | undefined
    const parts = shown ? { diff: shown.text, diffJson: { files: shown.files } } : {}
    return ok({ data: { from, to, isSame, ...parts } })
  },
})
