import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { hashKey } from '../accounts/keys.ts'
import { AppError } from '../platform/errors.ts'
import { createTokenBucket } from '../platform/token-bucket.ts'
import { findKeyByHash } from '../store/keys.ts'
import type { Deps } from './needs.ts'

const codeLifetimeMs = 10 * 60_000
/** For all callers together. */
const attemptsPerMinute = 10

/** Creates the login to the console by a one-time code that is printed on startup, so that no key is copied. */
export function consoleKey(deps: Pick<Deps, 'store' | 'clock' | 'keyFile'>) {
  const attempts = createTokenBucket({ perSecond: attemptsPerMinute / 60, burst: attemptsPerMinute })
  let pendingCode: { hash: Buffer; until: number } | undefined

  async function readValidKey(): Promise<string | undefined> {
    const key = deps.keyFile.read()
    if (key === undefined) return undefined
    const row = await findKeyByHash(deps.store.query, hashKey(key))
    return row?.revoked_at === null ? key : undefined
  }

  return {
    /** Invalidates the previous code. Returns undefined if the key file has no valid key. */
    async newCode(): Promise<string | undefined> {
      if ((await readValidKey()) === undefined) return undefined
      const code = randomBytes(24).toString('base64url')
      pendingCode = { hash: sha256(code), until: deps.clock.now() + codeLifetimeMs }
      return code
    },
    async exchange(code: string): Promise<string> {
      if (attempts.take(1) < 0) {
        // If rejected attempts counted, a client that retries would always be rejected.
        attempts.take(-1)
        const retryAfter = Math.ceil(60 / attemptsPerMinute)
        throw new AppError('RATE_LIMITED', { retryAfter, limit: attemptsPerMinute, remaining: 0 })
      }
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
