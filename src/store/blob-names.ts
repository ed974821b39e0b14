import { sql } from 'kysely'
import { insertIfNew } from './prepared.ts'
import type { Queryable, Store, Tables } from './schema.ts'

interface BlobColumn {
  folder: string
  table: keyof Tables
  column: string
  /** True if the column may contain the name of a blob that is not written yet or already deleted. */
  isSpare?: true
}

/** A trigger records a blob when a row stops naming it. A test checks that each column has its triggers. */
export const blobColumns: BlobColumn[] = [
  { folder: 'results', table: 'jobs', column: 'result_blob' },
  { folder: 'pages', table: 'pages', column: 'blob' },
  { folder: 'files', table: 'files', column: 'blob' },
  { folder: 'snapshots', table: 'snapshots', column: 'blob' },
  { folder: 'snapshots', table: 'snapshot_versions', column: 'blob' },
  { folder: 'site-files', table: 'site_files', column: 'blob' },
  { folder: 'profiles', table: 'profiles', column: 'blob' },
  { folder: 'profiles', table: 'profiles', column: 'spare_blob', isSpare: true },
]

/** A commit may seem to fail, because its connection broke before the reply. It is visible after this time. */
export const deletionGraceMs = 10 * 60_000

export async function recordUnusedBlobs(query: Queryable, names: readonly string[], deleteAt: number) {
  if (names.length === 0) return
  await query
    .insertInto('blob_deletions')
    .values(names.map((name) => ({ name, attempts: 0, next_at: deleteAt })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export interface BlobDeletion {
  name: string
  attempts: number
}

/** Postpones the deletions, so that no other process claims them meanwhile. */
export function claimBlobDeletions(
  store: Store,
  { now, until, limit }: { now: number; until: number; limit: number },
): Promise<BlobDeletion[]> {
  return store.transaction(async (transaction) => {
    const due = transaction
      .selectFrom('blob_deletions')
      .select(['name', 'attempts'])
      .where('next_at', '<=', now)
      .orderBy('next_at')
      .limit(limit)
    const rows = await store.skipLocked(due).execute()
    if (rows.length === 0) return []
    const names = rows.map(({ name }) => name)
    await transaction
      .updateTable('blob_deletions')
      .set({ next_at: until })
      .where('name', 'in', names)
      .execute()
    return rows
  })
}

export async function deleteDeletionsAfter(query: Queryable, moment: number): Promise<void> {
  await query.deleteFrom('blob_deletions').where('attempts', '=', 0).where('next_at', '>', moment).execute()
}

export async function endBlobDeletions(query: Queryable, names: readonly string[]): Promise<void> {
  if (names.length > 0) await query.deleteFrom('blob_deletions').where('name', 'in', names).execute()
}

export async function postponeBlobDeletion(
  query: Queryable,
  { name, attempts }: BlobDeletion,
  nextAt: number,
): Promise<void> {
  await query
    .updateTable('blob_deletions')
    .set({ attempts, next_at: nextAt })
    .where('name', '=', name)
    .execute()
}

export async function findNamedBlobs(store: Store, names: readonly string[]): Promise<Set<string>> {
  const namedBlobs = new Set<string>()
  if (names.length === 0) return namedBlobs
  for (const { table, column } of blobColumns) {
    const { rows } = await sql<BlobName>`select ${sql.ref(column)} as name from ${sql.table(table)}
      where ${compareByBytes(store, column)} in (${sql.join(names)})`.execute(store.query)
    for (const { name } of rows) namedBlobs.add(name)
  }
  return namedBlobs
}

function compareByBytes({ dialect }: Store, column: string) {
  return dialect === 'postgres' ? sql`${sql.ref(column)} collate "C"` : sql.ref(column)
}

interface BlobName {
  name: string
}

export interface NamedBlob extends BlobName {
  table: keyof Tables
  column: string
}

export async function listNamedBlobs(
  store: Store,
  folder: string,
  { after, limit }: { after: string; limit: number },
): Promise<NamedBlob[]> {
  const blobs: NamedBlob[] = []
  const start = after === '' ? `${folder}/` : after
  for (const { table, column, ...blobColumn } of blobColumns) {
    if (blobColumn.folder !== folder || blobColumn.isSpare) continue
    const bytes = compareByBytes(store, column)
    // `0` is the character after the slash, so it ends the range of the folder.
    const { rows } = await sql<BlobName>`select ${sql.ref(column)} as name from ${sql.table(table)}
      where ${bytes} > ${start} and ${bytes} < ${`${folder}0`}
      order by ${bytes} limit ${sql.lit(limit)}`.execute(store.query)
    blobs.push(...rows.map(({ name }) => ({ name, table, column })))
  }
  return blobs.sort((left, right) => (left.name < right.name ? -1 : 1)).slice(0, limit)
}

export async function removeRowsOfBlob(store: Store, { name, table, column }: NamedBlob): Promise<void> {
  const bytes = compareByBytes(store, column)
  await sql`delete from ${sql.table(table)} where ${bytes} = ${name}`.execute(store.query)
}

/** Returns the last compared name if the comparison is due, and prevents other processes from starting it. */
export async function claimBlobSweep(
  query: Queryable,
  { folder, now, until }: { folder: string; now: number; until: number },
): Promise<string | undefined> {
  await insertIfNew(query, 'blob_sweeps', { folder, after_name: '', next_at: 0 })
  const claimed = await query
    .updateTable('blob_sweeps')
    .set({ next_at: until })
    .where('folder', '=', folder)
    .where('next_at', '<=', now)
    .returning('after_name')
    .executeTakeFirst()
  return claimed?.after_name
}

export async function endBlobSweep(
  query: Queryable,
  { folder, after, nextAt }: { folder: string; after: string; nextAt: number },
): Promise<void> {
  await query
    .updateTable('blob_sweeps')
    .set({ after_name: after, next_at: nextAt })
    .where('folder', '=', folder)
    .execute()
}
