import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { hashKey } from '../accounts/keys.ts'
import { AppError } from '../platform/errors.ts'
import { createTokenBucket } from '../platform/token-bucket.ts'
import { findKeyByHash } from '../store/keys.ts'
import type { Deps } from './needs.ts'

export type ConsoleKeyDeps = Pick<Deps, 'store' | 'clock' | 'keyFile'>

export interface ConsoleKey {
  /**
   * Creates a one-time code for a link and invalidates the previous code. Returns undefined if the key file has no
   * valid key.
   */
  newCode(): Promise<string | undefined>
  /** Exchanges a code for the key of the key file. Each code is valid once. */
  exchange(code: string): Promise<string>
}

const codeLifetimeMs = 10 * 60_000
/**
 * Maximum number of exchange attempts per minute, for all callers together. A code cannot be guessed, but the number of
 * attempts must be limited.
 */
const attemptsPerMinute = 10

/**
 * Creates the login to the console by a one-time code that is printed on startup, so that no key is copied. Codes are
 * stored in memory of this process.
 */
export function consoleKey(deps: ConsoleKeyDeps): ConsoleKey {
  const attempts = createTokenBucket({ perSecond: attemptsPerMinute / 60, burst: attemptsPerMinute })
  let pendingCode: { hash: Buffer; until: number } | undefined

  async function readValidKey(): Promise<string | undefined> {
    const key = deps.keyFile.read()
    if (key === undefined) return undefined
    const row = await findKeyByHash(deps.store.query, hashKey(key))
    return row?.revoked_at === null ? key : undefined
  }

  /**
   * Returns the attempt to the bucket and creates the error. If rejected attempts counted, a client that retries would
   * always be rejected.
   */
  function createRateLimitError(): AppError {
    attempts.take(-1)
    const retryAfter = Math.ceil(60 / attemptsPerMinute)
    return new AppError('RATE_LIMITED', { retryAfter, limit: attemptsPerMinute, remaining: 0 })
  }

  return {
    async newCode() {
      if ((await readValidKey()) === undefined) return undefined
      const code = randomBytes(24).toString('base64url')
      pendingCode = { hash: sha256(code), until: deps.clock.now() + codeLifetimeMs }
      return code
    },
    async exchange(code) {
      if (attempts.take(1) < 0) throw createRateLimitError()
      const isMatch = pendingCode !== undefined && timingSafeEqual(pendingCode.hash, sha256(code))
      if (!pendingCode || !isMatch || pendingCode.until < deps.clock.now())
        throw new AppError('CONSOLE_CODE_INVALID')
      // Clear the code before the first await: of two concurrent calls, only one gets the key.
      pendingCode = undefined
      const key = await readValidKey()
      if (key === undefined) throw new AppError('CONSOLE_KEY_NOT_FOUND')
      return key
    },
  }
}

const sha256 = (code: string) => createHash('sha256').update(code).digest()
