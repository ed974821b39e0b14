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

const pollIntervalMs = 1_000
/** Number of polls per request for errors, which cost the service more than the counts. */
const pollsPerErrorCount = 3
const lineIntervalMs = 30_000

/**
 * Shows the progress of a job until `stop` is called: a redrawn line on a terminal, and a new line every 30 seconds on
 * other outputs.
 */
export function showProgress(job: PagesJob, terminal: Terminal, signal: AbortSignal): ProgressView {
  const rate = createRate(() => performance.now())
  let failed = 0
  let pollCount = 0
  let lastLine = performance.now()
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  const poll = async () => {
    const progress: JobProgress = await job.progress({ signal, retries: 0 })
    if (pollCount % pollsPerErrorCount === 0) failed = await countFailed(job, signal)
    pollCount += 1
    if (isStopped) return
    rate.add(progress.completed)
    const line = progressLine({ ...progress, failed }, rate.perSecond())
    if (terminal.status) terminal.status(line)
    else if (performance.now() - lastLine > lineIntervalMs) {
      lastLine = performance.now()
      terminal.info(line)
    }
  }
  const pollRepeatedly = async () => {
    // The error is ignored, because the page reader receives the same error and reports it.
    await poll().catch(() => {})
    if (!isStopped) timer = setTimeout(pollRepeatedly, pollIntervalMs)
  }
  void pollRepeatedly()
  return {
    stop() {
      isStopped = true
      clearTimeout(timer)
      terminal.status?.('')
    },
  }
}

/** Returns the number of failed pages. The service counts them for a crawl, and lists them for a batch. */
export async function countFailed(job: PagesJob, signal: AbortSignal): Promise<number> {
  const { summary, errors } = await job.errors({ signal })
  return summary?.failed ?? errors.length
}

const windowMs = 20_000

/** Creates a counter of pages per second over the last 20 seconds. */
export function createRate(now: () => number) {
  const samples: { at: number; completed: number }[] = []
  return {
    add(completed: number) {
      const time = now()
      samples.push({ at: time, completed })
      while (samples.length > 2 && time - (samples[0]?.at ?? time) > windowMs) samples.shift()
    },
    perSecond(): number | undefined {
      const first = samples[0]
      const last = samples.at(-1)
      if (!first || !last || last.at - first.at < 500) return undefined
      return ((last.completed - first.completed) * 1000) / (last.at - first.at)
    },
  }
}

export function progressLine({ completed, total, failed }: Counts, perSecond: number | undefined): string {
  const remaining = Math.max(0, total - completed)
  const parts = [
    `${formatBar(completed, total)} ${completed}/${total} pages`,
    ...(perSecond === undefined
      ? []
      : [`${perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond)} pages/s`]),
    ...(perSecond && remaining > 0 ? [`${duration(remaining / perSecond)} left`] : []),
    `${failed} ${failed === 1 ? 'error' : 'errors'}`,
  ]
  return parts.join(' · ')
}

const barWidth = 20

function formatBar(completed: number, total: number): string {
  const full = total > 0 ? Math.min(barWidth, Math.floor((completed / total) * barWidth)) : 0
  return `${'█'.repeat(full)}${'░'.repeat(barWidth - full)}`
}

export function duration(seconds: number): string {
  const totalSeconds = Math.ceil(seconds)
  if (totalSeconds < 60) return `${totalSeconds} s`
  if (totalSeconds < 3600) return `${Math.floor(totalSeconds / 60)} min ${totalSeconds % 60} s`
  return `${Math.floor(totalSeconds / 3600)} h ${Math.floor((totalSeconds % 3600) / 60)} min`
}
