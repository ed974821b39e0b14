import type { Clock } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import type { Log } from '../../base/log.ts'
import type { Page } from '../../content/page.ts'
import type { Blobs } from '../../ports/blobs.ts'
import { findPage, keepPage } from '../../store/pages.ts'
import type { Store } from '../../store/schema.ts'
import type { CachePolicy } from './plan.ts'

export interface CacheNeeds {
  store: Store
  blobs: Blobs
  clock: Clock
  log: Log
}

export interface PageCache {
  /** The kept page that the policy accepts, if there is one. */
  lookUp(teamId: string, policy: CachePolicy): Promise<Page | undefined>
  /** Keeps a page for later calls of the team, behind the caller's back: the answer does not wait for it. */
  keep(teamId: string, policy: CachePolicy, page: Page): void
  /** Resolves when everything that is being kept is kept. */
  settled(): Promise<void>
}

export function pageCache(needs: CacheNeeds): PageCache {
  const underWay = new Map<string, Promise<void>>()
  return {
    async lookUp(teamId, policy) {
      if (!policy.read) return undefined
      // A caller that was answered a moment ago expects its page to be there.
      await underWay.get(teamId + policy.key)
      return find(needs, teamId, policy.key, policy.read)
    },
    keep(teamId, policy, page) {
      // Answers of an error are not worth keeping.
      if (!policy.write || page.status >= 400) return
      const name = teamId + policy.key
      const kept = write(needs, teamId, policy.key, page)
        // The page is already on its way to the caller: a cache that cannot be written must not fail the call.
        .catch((cause) => needs.log.error({ cause }, 'a page could not be kept in the cache'))
        .finally(() => {
          if (underWay.get(name) === kept) underWay.delete(name)
        })
      underWay.set(name, kept)
    },
    async settled() {
      await Promise.all(underWay.values())
    },
  }
}

async function find(
  needs: CacheNeeds,
  teamId: string,
  cacheKey: string,
  read: { maxAge: number; minAge: number },
): Promise<Page | undefined> {
  const now = needs.clock.now()
  const row = await findPage(needs.store.query, {
    teamId,
    cacheKey,
    fetchedAfter: Math.max(0, now - Math.min(read.maxAge, now)),
    fetchedBefore: now - read.minAge,
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

async function write(needs: CacheNeeds, teamId: string, cacheKey: string, page: Page): Promise<void> {
  const blob = `pages/${newId()}`
  await needs.blobs.put(blob, page.bytes)
  const old = await keepPage(needs.store, {
    cache_key: cacheKey,
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
