import { randomBytes } from 'node:crypto'
import type { Queryable } from './schema.ts'

/** A secret of this installation, the same for all its processes; made when it is first asked for. */
export async function installationSecret(query: Queryable, name: string): Promise<string> {
  await query
    .insertInto('secrets')
    .values({ name, value: randomBytes(32).toString('base64url') })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await query
    .selectFrom('secrets')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return row.value
}
