import type { Clock } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import type { Page } from '../../content/page.ts'
import type { Blobs } from '../../ports/blobs.ts'
import { findPage, keepPage } from '../../store/pages.ts'
import type { Store } from '../../store/schema.ts'
import type { CachePolicy } from './plan.ts'

export interface CacheNeeds {
  store: Store
  blobs: Blobs
  clock: Clock
}

/** The kept page that the policy accepts, if there is one. */
export async function lookUp(
  needs: CacheNeeds,
  teamId: string,
  policy: CachePolicy,
): Promise<Page | undefined> {
  if (!policy.read) return undefined
  const now = needs.clock.now()
  const row = await findPage(needs.store.query, {
    teamId,
    cacheKey: policy.key,
    fetchedAfter: Math.max(0, now - Math.min(policy.read.maxAge, now)),
    fetchedBefore: now - policy.read.minAge,
  })
  const bytes = row && (await needs.blobs.get(row.blob))
  if (!bytes) return undefined
  return {
    requestedUrl: row.requested_url,
    url: row.url,
    status: row.status,
    headers: JSON.parse(row.headers),
    bytes,
    fetchedAt: row.fetched_at,
  }
}

/** Keeps a page for later calls of the team. Answers of an error are not worth keeping. */
export async function keep(
  needs: CacheNeeds,
  teamId: string,
  policy: CachePolicy,
  page: Page,
): Promise<void> {
  if (!policy.write || page.status >= 400) return
  const blob = `pages/${newId()}`
  await needs.blobs.put(blob, page.bytes)
  const old = await keepPage(needs.store, {
    cache_key: policy.key,
    team_id: teamId,
    url: page.url,
    requested_url: page.requestedUrl,
    status: page.status,
    headers: JSON.stringify(page.headers),
    blob,
    fetched_at: page.fetchedAt,
  })
  if (old !== undefined) await needs.blobs.delete(old)
}
