import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const lookEvery = 10_000
/** Work that follows this soon needs the memory again. */
const restsAfter = 30_000

type Collect = (how: { type: 'major'; execution: 'async'; flavor: 'last-resort' }) => Promise<void>

/**
 * Gives memory back when the work is over: a heap that has nothing to do is not collected by itself, and stays as large as it
 * was when it had the most to do. Answers how to stop.
 */
export function collectAtRest(isBusy: () => boolean): () => void {
  setFlagsFromString('--expose-gc')
  const collect: Collect = runInNewContext('gc')
  let lastBusy: number | undefined
  const timer = setInterval(() => {
    const now = performance.now()
    if (isBusy()) lastBusy = now
    if (lastBusy === undefined || now - lastBusy < restsAfter) return
    lastBusy = undefined
    void collect({ type: 'major', execution: 'async', flavor: 'last-resort' })
  }, lookEvery)
  timer.unref()
  return () => clearInterval(timer)
}
