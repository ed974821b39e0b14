import type { Team } from '../accounts/team.ts'
import type { App, ParentKind } from '../app.ts'
import { shownStatus } from './endpoints/parent-job.ts'

/** Where crawls and batches are watched, and what they are called in paths. */
const paths: Record<string, ParentKind> = { crawl: 'crawl', 'batch/scrape': 'batch_scrape' }

export interface Watched {
  id: string
  kind: ParentKind
  /** Path of its status. */
  path: string
}

/** `/v2/crawl/{id}` or `/v2/batch/scrape/{id}`, and nothing else. */
export function watchedIn(pathname: string): Watched | undefined {
  const parts = /^\/v2\/(crawl|batch\/scrape)\/([^/]{1,100})\/?$/.exec(pathname)
  const kind = paths[parts?.[1] ?? '']
  return kind && parts ? { id: parts[2] ?? '', kind, path: `/v2/${parts[1]}/${parts[2]}` } : undefined
}

/** A message as clients know them: a type, and a status or a document. */
export interface WatchMessage {
  type: 'catchup' | 'document' | 'done'
  data: unknown
}

export async function* watchMessages(
  needs: { app: App; publicUrl: () => string },
  watched: Watched & { team: Team },
  signal: AbortSignal,
): AsyncGenerator<WatchMessage> {
  const events = await needs.app.watchParent(watched.team, watched, signal)
  for await (const event of events) {
    if (event.type === 'document') yield { type: 'document', data: event.document }
    else {
      const address = `${needs.publicUrl()}${watched.path}`
      yield { type: event.type, data: { success: true, ...shownStatus(event.status, address, 100) } }
    }
  }
}
