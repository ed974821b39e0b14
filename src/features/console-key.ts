import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { hashKey } from '../accounts/keys.ts'
import { AppError } from '../platform/errors.ts'
import { bucket } from '../platform/token-bucket.ts'
import { findKeyByHash } from '../store/keys.ts'
import type { Deps } from './needs.ts'

export type ConsoleKeyDeps = Pick<Deps, 'store' | 'clock' | 'keyFile'>

export interface ConsoleKey {
  /** A code for a link; undefined: there is no key that it could be changed into. The one before it is void. */
  newCode(): Promise<string | undefined>
  /** The key of the key file, once for each code. */
  exchange(code: string): Promise<string>
}

const codeLives = 10 * 60_000
/** Of all callers on this machine: a code cannot be guessed, but guessing has to end. */
const attemptsPerMinute = 10

/** Opens the console for a person who sees the start of the service, without copying a key. The code lives in this process. */
export function consoleKey(deps: ConsoleKeyDeps): ConsoleKey {
  const attempts = bucket({ perSecond: attemptsPerMinute / 60, atOnce: attemptsPerMinute })
  let open: { hash: Buffer; until: number } | undefined

  async function keptKey(): Promise<string | undefined> {
    const key = deps.keyFile.read()
    if (key === undefined) return undefined
    const row = await findKeyByHash(deps.store.query, hashKey(key))
    return row?.revoked_at === null ? key : undefined
  }

  /** An attempt that was refused does not count, or those who go on would never be heard again. */
  function refusal(): AppError {
    attempts.take(-1)
    const retryAfter = Math.ceil(60 / attemptsPerMinute)
    return new AppError('RATE_LIMITED', { retryAfter, limit: attemptsPerMinute, remaining: 0 })
  }

  return {
    async newCode() {
      if ((await keptKey()) === undefined) return undefined
      const code = randomBytes(24).toString('base64url')
      open = { hash: hashOf(code), until: deps.clock.now() + codeLives }
      return code
    },
    async exchange(code) {
      if (attempts.take(1) < 0) throw refusal()
      const isRight = open !== undefined && timingSafeEqual(open.hash, hashOf(code))
      if (!open || !isRight || open.until < deps.clock.now()) throw new AppError('CONSOLE_CODE_INVALID')
      // Before anything is waited for: of two calls at once, one gets the key.
      open = undefined
      const key = await keptKey()
      if (key === undefined) throw new AppError('CONSOLE_KEY_NOT_FOUND')
      return key
    },
  }
}

const hashOf = (code: string) => createHash('sha256').update(code).digest()
