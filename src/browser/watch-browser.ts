import type { LaunchedBrowser } from '../ports/chromium.ts'
import { type Excess, judgeMemory, type MemoryBounds } from './memory.ts'

const every = 250
/** Ordinary pages use less. Whoever has had so much lets those go first who have not. */
const mostProcessorTime = 2000

/**
 * Looks at the processes of a browser while it has pages: ends what passes the bounds of memory, and has pages that compute
 * without end step back behind the others. Answers how to stop looking.
 */
export function watchBrowser(
  launched: Pick<LaunchedBrowser, 'processes' | 'endProcess' | 'stepBack'>,
  bounds: MemoryBounds,
  on: { pageEnds(excess: Excess): void; browserEnds(excess: Excess): void },
): () => void {
  const behind = new Set<number>()
  const look = () => {
    const processes = launched.processes()
    const verdict = judgeMemory(processes, bounds)
    if (verdict?.end === 'browser') return on.browserEnds(verdict.excess)
    if (verdict) {
      on.pageEnds(verdict.excess)
      launched.endProcess(verdict.end.pid)
    }
    for (const { pid, isOfPage, processorTime } of processes) {
      if (!isOfPage || processorTime < mostProcessorTime || behind.has(pid)) continue
      behind.add(pid)
      launched.stepBack(pid)
    }
  }
  const timer = setInterval(look, every).unref()
  return () => clearInterval(timer)
}
