import type { Queryable } from './schema.ts'

/**
 * Removes rows that earlier versions wrote before a moment, some at a time. Returns their number. Processes of the version before
 * may still use the table beside this one, so only a later version can drop it.
 */
export async function removeLearnedBefore(query: Queryable, moment: number): Promise<number> {
  const old = query.selectFrom('learned').select('id').where('used_at', '<', moment).limit(500)
  const { numDeletedRows } = await query.deleteFrom('learned').where('id', 'in', old).executeTakeFirst()
  return Number(numDeletedRows)
}
