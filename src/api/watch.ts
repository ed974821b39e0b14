import type { z } from 'zod'
import type { Team } from '../accounts/team.ts'
import type { ParentStatus } from '../features/parent-status.ts'
import type { document } from '../features/scrape/schema.ts'
import { AppError } from '../platform/errors.ts'
import type { App, ParentKind } from './app.ts'

/** Where crawls and batches are watched, and what they are called in paths. */
const paths: Record<string, ParentKind> = { crawl: 'crawl', 'batch/scrape': 'batch_scrape' }

export interface WatchableJob {
  id: string
  /** What it may be, in this order. */
  kinds: ParentKind[]
  /** Path of its status. */
  path: string
  /** A message as clients of this version of the API know it. Default: as it is. */
  shown?(message: WatchMessage): object
  /** What the close says when everything has been sent. Default: nothing. */
  lastWords?: string
}

/** A job that is watched at this path, in one version of the API. */
export type MatchWatchPath = (pathname: string) => WatchableJob | undefined

/** `/v2/crawl/{id}` or `/v2/batch/scrape/{id}`, and nothing else. */
export const matchV2Watch: MatchWatchPath = (pathname) => {
  const parts = /^\/v2\/(crawl|batch\/scrape)\/([^/]{1,100})\/?$/.exec(pathname)
  const kind = paths[parts?.[1] ?? '']
  return kind && parts
    ? { id: parts[2] ?? '', kinds: [kind], path: `/v2/${parts[1]}/${parts[2]}` }
    : undefined
}

/** A message as clients know them: a type, and a status or a document. */
export interface WatchMessage {
  type: 'catchup' | 'document' | 'done'
  data: unknown
}

export async function* watchMessages(
  deps: { app: App; publicUrl: () => string },
  watched: WatchableJob & { team: Team },
  signal: AbortSignal,
): AsyncGenerator<WatchMessage> {
  const address = `${deps.publicUrl()}${watched.path}`
  for await (const event of await eventsOf(deps.app, watched, signal)) {
    if (event.type === 'document') yield { type: 'document', data: event.document }
    else yield { type: event.type, data: { success: true, ...shownStatus(event.status, address, 100) } }
  }
}

/** Of the first kind by which the job is known. */
async function eventsOf(app: App, { team, id, kinds }: WatchableJob & { team: Team }, signal: AbortSignal) {
  for (const kind of kinds.slice(0, -1)) {
    const events = await app.watchParent(team, { id, kind }, signal).catch((thrown) => {
      if (thrown instanceof AppError && thrown.code === 'JOB_NOT_FOUND') return undefined
      throw thrown
    })
    if (events) return events
  }
  const [kind = 'crawl'] = kinds.slice(-1)
  return app.watchParent(team, { id, kind }, signal)
}

/** The status of a crawl or a batch as it is answered; `address` is where it can be read. */
export function shownStatus(
  { documents, lastDocument: _, nextSkip, ...status }: ParentStatus,
  address: string,
  limit: number,
) {
  return {
    ...status,
    ...(nextSkip === undefined ? {} : { next: `${address}?skip=${nextSkip}&limit=${limit}` }),
    // What was stored is what the scrape answered, and that was checked when it was made.
    data: documents as unknown as z.input<typeof document>[],
  }
}
