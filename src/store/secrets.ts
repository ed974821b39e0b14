import { randomBytes } from 'node:crypto'
import type { Queryable } from './schema.ts'

/** A secret of this installation, the same for all its processes; made when it is first asked for. */
export function installationSecret(query: Queryable, name: string): Promise<string> {
  return installationValue(query, name, randomBytes(32).toString('base64url'))
}

/** Returns the stored value of this name, which is `initial` the first time and never changes. */
export async function installationValue(query: Queryable, name: string, initial: string): Promise<string> {
  const stored = query.selectFrom('secrets').select('value').where('name', '=', name)
  // Read first: every signature of a webhook needs a value, and a write would wait for other writers or for a full disk.
  const known = await stored.executeTakeFirst()
  if (known) return known.value
  await query
    .insertInto('secrets')
    .values({ name, value: initial })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await stored.executeTakeFirstOrThrow()).value
}
