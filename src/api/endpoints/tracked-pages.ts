import { z } from 'zod'
import { trackedHistory, trackedPage, versionDifference } from '../../features/tracked-pages.ts'
import { boundedText } from '../../platform/bounded.ts'
import { endpointsOf, envelope, integerInQuery, ok, okPage, pageOf } from '../endpoint.ts'

const defineEndpoint = endpointsOf({ tag: 'Team' })
const pageId = z.object({ id: boundedText('MAX_ID_LENGTH').describe('Id of the tracked page.') })

type Files = NonNullable<z.input<typeof versionDifference>['diffJson']>['files']

export const getTrackedPages = defineEndpoint({
  method: 'GET',
  path: '/v2/team/tracked-pages',
  summary: 'List the pages that the team tracks with changeTracking, most recently seen first',
  query: z.object({
    search: boundedText('MAX_SEARCH_LENGTH').optional().describe('Only pages whose URL contains this text.'),
    before: boundedText('MAX_CURSOR_LENGTH')
      .regex(/^\d{1,15}\.[0-9a-f]{64}$/, 'is the cursor of a list before')
      .optional()
      .describe('Cursor of the previous page.'),
    limit: integerInQuery(1, 100).default(50).describe('Maximum number of pages in one response.'),
  }),
  response: pageOf(trackedPage),
  async handle({ app, team, query }) {
    const { pages, cursor } = await app.trackedPages(team, query)
    return okPage(pages, cursor)
  },
})

export const getTrackedPage = defineEndpoint({
  method: 'GET',
  path: '/v2/team/tracked-pages/{id}',
  summary: 'Get a tracked page and its versions, newest first',
  params: pageId,
  response: envelope({ data: trackedHistory }),
  errors: ['TRACKED_PAGE_NOT_FOUND'],
  handle: async ({ app, team, params }) => ok({ data: await app.readTrackedPage(team, params.id) }),
})

export const getTrackedDifference = defineEndpoint({
  method: 'GET',
  path: '/v2/team/tracked-pages/{id}/diff',
  summary: 'Compare two versions of a tracked page',
  params: pageId,
  query: z.object({
    from: boundedText('MAX_CURSOR_LENGTH')
      .optional()
      .describe('Id of the older version. Default: the previous one.'),
    to: boundedText('MAX_CURSOR_LENGTH')
      .optional()
      .describe('Id of the newer version. Default: the latest one.'),
  }),
  response: envelope({ data: versionDifference }),
  errors: ['TRACKED_PAGE_NOT_FOUND', 'VERSION_NOT_FOUND'],
  async handle({ app, team, params, query, signal }) {
    const differenceQuery = { ...params, ...query, signal: signal() }
    const { from, to, isSame, difference } = await app.trackedDifference(team, differenceQuery)
    // The cast is safe: long parts are JSON text of the described shape.
    const diff = difference as { text: string; files: Files } | undefined
    const diffFields = diff ? { diff: diff.text, diffJson: { files: diff.files } } : {}
    return ok({ data: { from, to, isSame, ...diffFields } })
  },
})
