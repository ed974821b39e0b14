import type { FileRow, Queryable } from './schema.ts'

export async function insertFile(query: Queryable, file: FileRow): Promise<void> {
  await query.insertInto('files').values(file).execute()
}

export function findFile(query: Queryable, id: string): Promise<FileRow | undefined> {
  return query.selectFrom('files').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Removes files that expired before a moment, some at a time; answers their blobs. */
export async function removeFilesBefore(query: Queryable, moment: number): Promise<string[]> {
  const old = query.selectFrom('files').select('id').where('expires_at', '<', moment).limit(500)
  const rows = await query.deleteFrom('files').where('id', 'in', old).returning('blob').execute()
  return rows.map((row) => row.blob)
}
