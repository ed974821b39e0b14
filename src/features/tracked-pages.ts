import { z } from 'zod'
import type { Team } from '../accounts/team.ts'
import { changeStatuses } from '../content/diff.ts'
import { diffFile } from '../extraction/formats/change-tracking.ts'
import type { PageReader } from '../extraction/workers/page-reader.ts'
import { AppError } from '../platform/errors.ts'
import type { Store } from '../store/schema.ts'
import {
  findTracked,
  findVersion,
  listTracked,
  listVersions,
  type TrackedRow,
  type VersionRow,
} from '../store/snapshots.ts'
import { compressedRows } from '../store/stored-json.ts'
import type { Deps } from './needs.ts'

interface TrackedDeps extends Pick<Deps, 'store' | 'blobs'> {
  reader: Pick<PageReader, 'compare'>
}

export async function trackedPages(
  { store }: Pick<TrackedDeps, 'store'>,
  team: Team,
  { search, before, limit }: { search?: string | undefined; before?: string | undefined; limit: number },
) {
  const [scrapedAt = '', key = ''] = before?.split('.') ?? []
  const position = before === undefined ? undefined : { scrapedAt: Number(scrapedAt), key }
  const params = { teamId: team.id, search, before: position, limit: limit + 1 }
  const rows = await listTracked(store.query, params)
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return { pages: shown.map(toPageResponse), cursor: last ? `${last.scraped_at}.${last.snapshot_key}` : null }
}

export async function readTrackedPage({ store }: Pick<TrackedDeps, 'store'>, team: Team, id: string) {
  const versions = await getVersions(store, team, id)
  return { ...toPageResponse(versions[0]), history: versions.map(toVersionResponse) }
}

export async function trackedDifference(
  deps: TrackedDeps,
  team: Team,
  options: { id: string; from?: string | undefined; to?: string | undefined; signal: AbortSignal },
) {
  const { query } = deps.store
  const versions = await getVersions(deps.store, team, options.id)
  const key = versions[0].snapshot_key
  const findVersionIndex = (name: string) => versions.findIndex(({ since }) => String(since) === name)
  const to = options.to === undefined ? 0 : findVersionIndex(options.to)
  const from = options.from === undefined ? to + 1 : findVersionIndex(options.from)
  const [older, newer] = [versions[from], versions[to]]
  if (!older || !newer) throw new AppError('VERSION_NOT_FOUND')
  const [previous, current] = await Promise.all(
    [older, newer].map(async ({ since }) => {
      const version = await findVersion(query, { teamId: team.id, key, since })
      const packed = version && (await versionBodies.read(deps.blobs, version))
      return packed && versionBodies.unpack(packed)
    }),
  )
  if (!previous || !current) throw new AppError('VERSION_NOT_FOUND')
  const owner = { team: team.id, isBackground: false }
  const texts = { previous, current, showsDifference: true }
  const { isSame, difference } = await deps.reader.compare(texts, owner, options.signal)
  return { from: toVersionResponse(older), to: toVersionResponse(newer), isSame, difference }
}

const versionBodies = compressedRows('snapshots')

async function getVersions({ query }: Store, team: Team, id: string): Promise<[TrackedRow, ...VersionRow[]]> {
  const row = await findTracked(query, team.id, id)
  if (!row) throw new AppError('TRACKED_PAGE_NOT_FOUND')
  return [row, ...(await listVersions(query, team.id, row.snapshot_key))]
}

const iso = (time: number) => new Date(time).toISOString()

function toPageResponse(row: TrackedRow) {
  return {
    id: row.snapshot_key,
    url: row.url,
    tag: row.tag,
    isRedacted: row.redacted === 1,
    versions: row.versions,
    firstSeen: iso(row.first_seen),
    lastSeen: iso(row.scraped_at),
    lastChange: iso(row.since),
    changeStatus: row.last_status,
  }
}

function toVersionResponse({ since, scraped_at, size }: VersionRow) {
  return { id: String(since), at: iso(since), lastSeen: iso(scraped_at), size }
}

export const trackedPage = z
  .object({
    id: z.string(),
    url: z.string(),
    tag: z.string().nullable().describe('Name of the history; null if none was given.'),
    isRedacted: z
      .boolean()
      .describe('True if personal data was redacted; such versions form a separate history.'),
    versions: z.int().describe('Stored versions, at most ten.'),
    firstSeen: z.string(),
    lastSeen: z.string(),
    lastChange: z.string().describe('Time when the latest version was first seen.'),
    changeStatus: z
      .enum(changeStatuses)
      .nullable()
      .describe('Result of the last comparison; null if it was not recorded.'),
  })
  .meta({ id: 'TrackedPage' })

const pageVersion = z
  .object({
    id: z.string(),
    at: z.string().describe('Time when the version was first seen.'),
    lastSeen: z.string().describe('Time when the version was last seen.'),
    size: z.int().nullable().describe('Size of its Markdown in bytes; null if it was not recorded.'),
  })
  .meta({ id: 'PageVersion' })

export const trackedHistory = trackedPage
  .extend({ history: z.array(pageVersion) })
  .meta({ id: 'TrackedHistory' })

export const versionDifference = z.object({
  from: pageVersion,
  to: pageVersion,
  isSame: z.boolean().describe('True if the versions differ at most in white space.'),
  diff: z.string().optional().describe('Unified diff of the Markdown; absent if the versions are equal.'),
  diffJson: z
    .object({ files: z.array(diffFile) })
    .optional()
    .describe('The same diff as structured data.'),
})
