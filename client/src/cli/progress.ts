import type { JobProgress, PagesJob } from '../pages-job.ts'
import type { Terminal } from './terminal.ts'

interface Counts {
  status: string
  completed: number
  total: number
  failed: number
}

interface ProgressView {
  stop(): void
}

const pauseMs = 1_000
/** Errors cost the service more than the counts do. */
const looksPerErrors = 3
const quietMs = 30_000

/** Shows how a job stands until it is stopped: a line that is redrawn in a terminal, a line now and then elsewhere. */
export function showProgress(job: PagesJob, terminal: Terminal, signal: AbortSignal): ProgressView {
  const rate = createRate(() => performance.now())
  let failed = 0
  let looks = 0
  let lastLine = performance.now()
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  const look = async () => {
    const progress: JobProgress = await job.progress({ signal, retries: 0 })
    if (looks % looksPerErrors === 0) failed = await countFailed(job, signal)
    looks += 1
    if (isStopped) return
    rate.add(progress.completed)
    const line = progressLine({ ...progress, failed }, rate.perSecond())
    if (terminal.status) terminal.status(line)
    else if (performance.now() - lastLine > quietMs) {
      lastLine = performance.now()
      terminal.note(line)
    }
  }
  const next = async () => {
    // The reader of the pages meets the same failure and tells it; here it is only a look that failed.
    await look().catch(() => {})
    if (!isStopped) timer = setTimeout(next, pauseMs)
  }
  void next()
  return {
    stop() {
      isStopped = true
      clearTimeout(timer)
      terminal.status?.('')
    },
  }
}

/** Of a crawl the service counts them; of a batch they are listed. */
export async function countFailed(job: PagesJob, signal: AbortSignal): Promise<number> {
  const { summary, errors } = await job.errors({ signal })
  return summary?.failed ?? errors.length
}

const windowMs = 20_000

/** Pages per second over the last seconds. */
export function createRate(now: () => number) {
  const marks: { at: number; completed: number }[] = []
  return {
    add(completed: number) {
      const at = now()
      marks.push({ at, completed })
      while (marks.length > 2 && at - (marks[0]?.at ?? at) > windowMs) marks.shift()
    },
    perSecond(): number | undefined {
      const first = marks[0]
      const last = marks.at(-1)
      if (!first || !last || last.at - first.at < 500) return undefined
      return ((last.completed - first.completed) * 1000) / (last.at - first.at)
    },
  }
}

export function progressLine({ completed, total, failed }: Counts, perSecond: number | undefined): string {
  const left = Math.max(0, total - completed)
  const parts = [
    `${bar(completed, total)} ${completed}/${total} pages`,
    ...(perSecond === undefined
      ? []
      : [`${perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond)} pages/s`]),
    ...(perSecond && left > 0 ? [`${duration(left / perSecond)} left`] : []),
    `${failed} ${failed === 1 ? 'error' : 'errors'}`,
  ]
  return parts.join(' · ')
}

const barWidth = 20

function bar(completed: number, total: number): string {
  const full = total > 0 ? Math.min(barWidth, Math.floor((completed / total) * barWidth)) : 0
  return `${'█'.repeat(full)}${'░'.repeat(barWidth - full)}`
}

export function duration(seconds: number): string {
  const whole = Math.ceil(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}
