import type { z } from 'zod'
import type { Team } from '../accounts/team.ts'
import type { ParentStatus } from '../features/parent-status.ts'
import type { document } from '../features/scrape/schema.ts'
import { AppError } from '../platform/errors.ts'
import type { ParentKind } from './app/parent-jobs.ts'
import type { App } from './app.ts'

export interface WatchableJob {
  id: string
  kinds: ParentKind[]
  path: string
  /** Converts a message for clients of this API version. Default: unchanged. */
  shown?(message: WatchMessage): object
  closeReason?: string
}

export type MatchWatchPath = (pathname: string) => WatchableJob | undefined

export const matchV2Watch: MatchWatchPath = (pathname) => {
  const [, segment, id = ''] = /^\/v2\/(crawl|batch\/scrape)\/([^/]{1,100})\/?$/.exec(pathname) ?? []
  const kinds: ParentKind[] = [segment === 'crawl' ? 'crawl' : 'batch_scrape']
  return segment === undefined ? undefined : { id, kinds, path: `/v2/${segment}/${id}` }
}

export interface WatchMessage {
  type: 'catchup' | 'document' | 'done'
  data: unknown
}

export async function* watchMessages(
  deps: { app: App; publicUrl: () => string },
  watched: WatchableJob & { team: Team },
  signal: AbortSignal,
): AsyncGenerator<WatchMessage> {
  const statusUrl = `${deps.publicUrl()}${watched.path}`
  for await (const event of await subscribe(deps.app, watched, signal)) {
    if (event.type === 'document') yield { type: 'document', data: event.document }
    else
      yield { type: event.type, data: { success: true, ...toStatusResponse(event.status, statusUrl, 100) } }
  }
}

async function subscribe(app: App, { team, id, kinds }: WatchableJob & { team: Team }, signal: AbortSignal) {
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

export function toStatusResponse(
  { documents, lastDocument: _, nextSkip, ...status }: ParentStatus,
  statusUrl: string,
  limit: number,
) {
  return {
    ...status,
    ...(nextSkip === undefined ? {} : { next: `${statusUrl}?skip=${nextSkip}&limit=${limit}` }),
    // The cast is safe: stored documents are scrape responses, which were validated when they were created.
    data: documents as unknown as z.input<typeof document>[],
  }
}
