import type { FileRow, Queryable } from './schema.ts'

export async function insertFile(query: Queryable, file: FileRow): Promise<void> {
  await query.insertInto('files').values(file).execute()
}

export function findFile(query: Queryable, id: string): Promise<FileRow | undefined> {
  return query.selectFrom('files').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Removes some files that expired before a time. Returns the number of removed files. */
export async function removeFilesBefore(query: Queryable, moment: number): Promise<number> {
  const old = query.selectFrom('files').select('id').where('expires_at', '<', moment).limit(500)
  const { numDeletedRows } = await query.deleteFrom('files').where('id', 'in', old).executeTakeFirst()
  return Number(numDeletedRows)
}
