import { hash, randomBytes } from 'node:crypto'
import { AppError } from '../platform/errors.ts'
import { addKey, countOperatorKeys, findKey, revokeKey } from '../store/keys.ts'
import { lockOperatorKeys } from '../store/locks.ts'
import type { KeyRow, Queryable, Store } from '../store/schema.ts'

/** Keys are random, so a plain hash is enough: a stolen table does not help to guess them. */
export function hashKey(key: string): string {
  return hash('sha256', key)
}

export function createApiKey(): string {
  return `fc-${randomBytes(16).toString('hex')}`
}

export interface NewKeyRequest {
  teamId: string
  isOperator: boolean
  now: number
  /** A new one, if not given. */
  key?: string
}

/** Only the hash is stored: the key in this answer can be shown once. */
export async function issueKey(
  query: Queryable,
  { key = createApiKey(), ...order }: NewKeyRequest,
): Promise<{ key: string; row: KeyRow }> {
  const row = await addKey(query, { ...order, hash: hashKey(key), hint: `${key.slice(0, 7)}…` })
  return { key, row }
}

/** The key stops working within a second. The last one of an operator stays: nobody could make another through the API. */
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
