import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const lookEvery = 10_000
/** Work that starts within this time needs the memory again. */
const restsAfter = 30_000

type Collect = (how: { type: 'major'; execution: 'async'; flavor: 'last-resort' }) => Promise<void>

/**
 * Releases memory when the process becomes idle: an idle heap is not collected automatically and keeps its peak
 * size. Returns a function that stops it.
 */
export function collectAtRest(isBusy: () => boolean): () => void {
  setFlagsFromString('--expose-gc')
  const collect: Collect = runInNewContext('gc')
  // A start leaves as much behind as work does.
  let lastBusy: number | undefined = performance.now()
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
