import type { FileRow, Queryable } from './schema.ts'

export async function insertFile(query: Queryable, file: FileRow): Promise<void> {
  await query.insertInto('files').values(file).execute()
}

export function findFile(query: Queryable, id: string): Promise<FileRow | undefined> {
  return query.selectFrom('files').selectAll().where('id', '=', id).executeTakeFirst()
}
