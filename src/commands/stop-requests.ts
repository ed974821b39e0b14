import { readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'
import type { Log } from '../base/log.ts'
import type { Launcher } from '../settings.ts'

const parentPollMs = 500
/** Supervisors and terminals signal the whole process group, so one request may arrive several times within this time. */
const repeatedWithinMs = 500

/**
 * Calls `stop` at the first request to stop: SIGTERM, SIGINT, SIGHUP, or the end of the npm that started this process. A
 * second signal exits at once: running work is abandoned, and its leases expire.
 */
export function onStopRequest({ log, launcher }: { log: Log; launcher: Launcher }, stop: () => void): void {
  const ignoresHangup = isHangupIgnored(launcher)
  let requestedAt: number | undefined
  const request = (reason: object) => {
    requestedAt = performance.now()
    log.info(reason, 'stopping; running calls may finish')
    stop()
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (signal === 'SIGHUP' && ignoresHangup)
        return log.warn({ signal }, 'ignored, because the service was started to outlive its terminal')
      if (requestedAt === undefined) request({ signal })
      else if (performance.now() - requestedAt > repeatedWithinMs) process.exit(1)
    })
  }
  if (!launcher.isNpm || ignoresHangup) return
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    if (requestedAt === undefined) request({ npm: 'has ended' })
  }, parentPollMs)
  watch.unref()
}

/**
 * True if this process was started with SIGHUP ignored, as `nohup` does. Node restores the default of every ignored signal
 * before any script runs, so the evidence is what `nohup` leaves otherwise, and the process that started Node.
 */
function isHangupIgnored({ isNohup }: Launcher): boolean {
  return isNohup || hasInputOfNohup() || isHangupIgnoredBy(starterOfNode())
}

/** `nohup` replaces a terminal by /dev/null as the input, and opens that for writing only, so that every read fails. */
function hasInputOfNohup(): boolean {
  const flags = Number.parseInt(/^flags:\s*(\d+)/m.exec(read('/proc/self/fdinfo/0'))?.[1] ?? '0', 8)
  const isWriteOnly = (flags & 3) === 1
  return isWriteOnly && link('/proc/self/fd/0') === '/dev/null'
}

/** The nearest ancestor that is not Node: npm and the preparation of the service are Node too. */
function starterOfNode(): number {
  let pid = process.ppid
  while (pid > 1 && basename(link(`/proc/${pid}/exe`)).startsWith('node')) pid = statusOf(pid, 'PPid', 10)
  return pid
}

function isHangupIgnoredBy(pid: number): boolean {
  // The first process of a container or a machine ignores what it likes.
  return pid > 1 && (statusOf(pid, 'SigIgn', 16) & 1) === 1
}

function statusOf(pid: number, field: string, radix: number): number {
  const lines = read(`/proc/${pid}/status`).split('\n')
  const value = lines.find((line) => line.startsWith(`${field}:`))?.split(/\s+/)[1] ?? '0'
  // Only the lowest bits of a mask are needed, and it has more than a number holds.
  return Number.parseInt(value.slice(-8), radix)
}

/** Empty where there is no /proc, and if the process has ended or belongs to another user. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function link(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
