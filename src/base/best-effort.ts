import type { Log } from './log.ts'
import type { NowOrLater } from './now-or-later.ts'

/**
 * Runs work that records or learns something beside a result that is already there. A failure is logged and never thrown, so
 * that it cannot fail that result; then the returned value is undefined.
 */
export async function bestEffort<Result>(
  log: Pick<Log, 'warn'>,
  failure: string,
  work: () => NowOrLater<Result>,
): Promise<Result | undefined> {
  try {
    return await work()
  } catch (cause) {
    log.warn({ cause }, failure)
    return undefined
  }
}
