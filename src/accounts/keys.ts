import { hash, randomBytes } from 'node:crypto'
import { AppError } from '../platform/errors.ts'
import { addKey, countOperatorKeys, findKey, revokeKey } from '../store/keys.ts'
import { lockOperatorKeys } from '../store/locks.ts'
import type { KeyRow, Queryable, Store } from '../store/schema.ts'

/** Returns the hash of a key. A hash without salt suffices, because keys are random and cannot be guessed from it. */
export const hashKey = (key: string): string => hash('sha256', key)

export const createApiKey = (): string => `fc-${randomBytes(16).toString('hex')}`

export async function issueKey(
  query: Queryable,
  { key = createApiKey(), ...entry }: { teamId: string; isOperator: boolean; now: number; key?: string },
): Promise<{ key: string; row: KeyRow }> {
  const row = await addKey(query, { ...entry, hash: hashKey(key), hint: `${key.slice(0, 7)}…` })
  return { key, row }
}

/** Throws for the last operator key, because no other could be created through the API. */
export function revokeKeyOrThrow(store: Store, id: string, now: number): Promise<void> {
  return store.transaction(async (transaction) => {
    await lockOperatorKeys(store, transaction)
    const key = await findKey(transaction, id)
    if (key?.revoked_at !== null) throw new AppError('KEY_NOT_FOUND')
    if (key.is_operator === 1 && (await countOperatorKeys(transaction)) < 2)
      throw new AppError('LAST_OPERATOR_KEY')
    await revokeKey(transaction, id, now)
  })
}
