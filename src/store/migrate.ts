import { type Migration, Migrator } from 'kysely/migration'
import * as start from './migrations/0001-start.ts'
import * as files from './migrations/0002-files.ts'
import * as snapshots from './migrations/0003-snapshots.ts'
import * as pageNotes from './migrations/0004-page-notes.ts'
import * as sites from './migrations/0005-sites.ts'
import * as sessions from './migrations/0006-sessions.ts'
import * as profiles from './migrations/0007-profiles.ts'
import * as endedOrder from './migrations/0008-ended-order.ts'
import * as shares from './migrations/0009-shares.ts'
import * as search from './migrations/0010-search.ts'
import * as feedback from './migrations/0011-feedback.ts'
import * as modelUsage from './migrations/0012-model-usage.ts'
import * as learned from './migrations/0013-learned.ts'
import * as jobTraces from './migrations/0014-job-traces.ts'
import * as operators from './migrations/0015-operators.ts'
import * as versions from './migrations/0016-versions.ts'
import * as deletedTeams from './migrations/0017-deleted-teams.ts'
import * as children from './migrations/0018-children.ts'
import * as pendingByTeam from './migrations/0019-pending-by-team.ts'
import * as cacheSizes from './migrations/0020-cache-sizes.ts'
import * as blobDeletions from './migrations/0021-blob-deletions.ts'
import * as idempotentRequests from './migrations/0022-idempotent-requests.ts'
import * as cacheKeyVersion from './migrations/0023-cache-key-version.ts'
import * as teamSearchIndex from './migrations/0024-team-search-index.ts'
import type { Store } from './schema.ts'

export interface StoredMigration extends Pick<Migration, 'up'> {
  /** Name of the earlier migration whose old schema this one removes. All others only expand the schema. */
  contracts?: string
}

export const migrations: Record<string, StoredMigration> = {
  '0001-start': start,
  '0002-files': files,
  '0003-snapshots': snapshots,
  '0004-page-notes': pageNotes,
  '0005-sites': sites,
  '0006-sessions': sessions,
  '0007-profiles': profiles,
  '0008-ended-order': endedOrder,
  '0009-shares': shares,
  '0010-search': search,
  '0011-feedback': feedback,
  '0012-model-usage': modelUsage,
  '0013-learned': learned,
  '0014-job-traces': jobTraces,
  '0015-operators': operators,
  '0016-versions': versions,
  '0017-deleted-teams': deletedTeams,
  '0018-children': children,
  '0019-pending-by-team': pendingByTeam,
  '0020-cache-sizes': cacheSizes,
  '0021-blob-deletions': blobDeletions,
  '0022-idempotent-requests': idempotentRequests,
  '0023-cache-key-version': cacheKeyVersion,
  '0024-team-search-index': teamSearchIndex,
}

export async function migrate(store: Store): Promise<string[]> {
  const migrator = new Migrator({ db: store.query, provider: { getMigrations: async () => migrations } })
  const { error, results } = await migrator.migrateToLatest()
  if (error) throw new Error('The store could not be brought to the newest shape.', { cause: error })
  return (results ?? []).map((result) => result.migrationName)
}
