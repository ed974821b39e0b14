import type { LaunchedBrowser } from '../ports/chromium.ts'
import { type Excess, judgeMemory, type MemoryBounds } from './memory.ts'

const every = 250
/** CPU time after which a page gets a lower priority than others, and that priority. */
const steps = [
  { after: 2000, priority: 19 },
  { after: 750, priority: 12 },
  { after: 300, priority: 6 },
]

/**
 * Checks the processes of a browser while it has pages: ends those that exceed a memory bound, and lowers the priority of
 * pages that compute endlessly. Returns a function that stops it.
 */
export function watchBrowser(
  launched: Pick<LaunchedBrowser, 'processes' | 'endProcess' | 'stepBack'>,
  bounds: MemoryBounds,
  on: { pageEnds(excess: Excess): void; browserEnds(excess: Excess): void },
): () => void {
  const priorities = new Map<number, number>()
  const look = () => {
    const processes = launched.processes()
    const verdict = judgeMemory(processes, bounds)
    if (verdict?.end === 'browser') return on.browserEnds(verdict.excess)
    if (verdict) {
      on.pageEnds(verdict.excess)
      launched.endProcess(verdict.end.pid)
    }
    for (const { pid, isOfPage, processorTime } of processes) {
      const priority = steps.find(({ after }) => processorTime >= after)?.priority
      if (!isOfPage || priority === undefined || priorities.get(pid) === priority) continue
      priorities.set(pid, priority)
      launched.stepBack(pid, priority)
    }
  }
  const timer = setInterval(look, every).unref()
  return () => clearInterval(timer)
}
