import { readFileSync } from 'node:fs'
import type { Debugger } from 'node:inspector'
import { Session } from 'node:inspector/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { activityCell, readActivity } from '../../platform/activity.ts'
import { createDirectLog, type LogOptions } from '../../platform/log.ts'

export interface WatchdogData {
  memory: SharedArrayBuffer
  pid: number
  logOptions: LogOptions
}

export type ThreadMessage = { probe: number } | { blocked: true }

/** Processor time of one turn of the main thread in milliseconds, above which the turn is reported. */
const maxTurnCpuMs = 1000
const busyIntervalMs = 200
const idleIntervalMs = 1000
const maxIdleChecks = 60
/** Maximum wait for the stack. Native code cannot be interrupted, so its stack can be read only after it returns. */
const maxStackWaitMs = 3000
const maxFrames = 16
/** Linux reports processor time in hundredths of a second. */
const msPerTick = 10

const { memory, pid, logOptions }: WatchdogData = workerData
const cells = new Int32Array(memory, 0, 4)
const log = createDirectLog(logOptions)

await watch()
process.exit()

/** The main thread answers a probe in its next turn, so the time since an unanswered one belongs to one turn. */
async function watch(): Promise<void> {
  let probe = Atomics.load(cells, activityCell.answeredProbe)
  let cpuAtProbe = 0
  let isReported = false
  for (let idleChecks = 0; !mayEnd(idleChecks); ) {
    idleChecks = (await pause()) ? idleChecks + 1 : 0
    const cpu = mainThreadCpuMs()
    if (Atomics.load(cells, activityCell.answeredProbe) === probe) {
      if (isReported) log.warn({ code: 'EVENT_LOOP_RESUMED' }, 'the main thread answers again')
      isReported = false
      probe = (probe + 1) | 0
      cpuAtProbe = cpu
      send({ probe })
    } else if (!isReported && cpu - cpuAtProbe > maxTurnCpuMs) {
      isReported = true
      await report(cpu - cpuAtProbe)
    }
  }
}

/** Returns true if nothing was in progress. Blocks, because a pending `waitAsync` does not keep a thread alive. */
async function pause(): Promise<boolean> {
  const ended = Atomics.wait(cells, activityCell.inProgress, 0, idleIntervalMs)
  if (ended === 'not-equal') await sleep(busyIntervalMs)
  return ended === 'timed-out'
}

/** Returns true if the thread may end. The main thread starts a new one if work begins after `threadRuns` became 0. */
function mayEnd(idleChecks: number): boolean {
  if (idleChecks < maxIdleChecks) return false
  Atomics.store(cells, activityCell.threadRuns, 0)
  const isIdle = Atomics.load(cells, activityCell.inProgress) === 0
  return isIdle || Atomics.compareExchange(cells, activityCell.threadRuns, 0, 1) === 1
}

/** The id of the main thread is the process id. Fields 14 and 15 are user and system time. */
function mainThreadCpuMs(): number {
  const stat = readFileSync(`/proc/self/task/${pid}/stat`, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * msPerTick
}

async function report(cpuMs: number): Promise<void> {
  const { labels, total } = readActivity(memory)
  const stack = await readMainThreadStack()
  log.error(
    {
      ...{ code: 'EVENT_LOOP_BLOCKED', cpuMs, inProgress: labels, inProgressTotal: total },
      stack: stack ?? ['not readable: the main thread runs native code, or the turn has ended'],
    },
    'one turn of the main thread has used more than a second of processor time; all callers wait for it',
  )
  send({ blocked: true })
}

/** Reads the stack of the main thread. Disconnecting resumes a paused main thread, so it always runs. */
async function readMainThreadStack(): Promise<string[] | undefined> {
  const session = new Session()
  try {
    session.connectToMainThread()
    return await Promise.race([pauseForStack(session), sleep(maxStackWaitMs, undefined)])
  } catch {
    return undefined
  } finally {
    session.disconnect()
  }
}

async function pauseForStack(session: Session): Promise<string[]> {
  const urls = new Map<string, string>()
  session.on('Debugger.scriptParsed', ({ params }) => urls.set(params.scriptId, params.url))
  const paused = Promise.withResolvers<Debugger.CallFrame[]>()
  session.once('Debugger.paused', ({ params }) => paused.resolve(params.callFrames))
  await session.post('Debugger.enable')
  await session.post('Debugger.pause')
  const frames = await paused.promise
  return frames.slice(0, maxFrames).map(({ functionName, location }) => {
    const file = urls.get(location.scriptId)?.replace('file://', '') || 'unknown file'
    return `${functionName || '(anonymous)'} ${file}:${location.lineNumber + 1}`
  })
}

function send(message: ThreadMessage): void {
  parentPort?.postMessage(message)
}
