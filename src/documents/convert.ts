import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rm } from 'node:fs'
import { constants, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AppError, type ErrorCode } from '../base/errors.ts'
import { fairPlaces, type PlaceRequest } from '../base/fair-places.ts'
import { listener } from '../base/listener.ts'
import type { Log } from '../base/log.ts'
import type { Conversion, ConversionOrder, ProblemKind } from './document.ts'
import { type RecogniserAsk, type RecogniserGrant, recogniserTurns } from './recogniser-turns.ts'

export interface ConverterLimits {
  /** Conversions at the same time; others wait their turn, fairly between teams. */
  processes: number
  /** OCR programs that run at the same time, for all files together. */
  recognisers: number
  /** Additional ones of both for teams that hold none: a team that has filled the rest cannot make them wait. */
  spare: number
  /** Memory of one conversion, including native memory. */
  megabytes: number
  /** Maximum time for one file, even if its caller allows more. */
  mostMs: number
  /** An idle process ends after this time. */
  idleMs: number
}

export interface Converter {
  convert(order: ConversionOrder, who: PlaceRequest, signal: AbortSignal): Promise<Conversion>
  stop(): void
}

interface Worker {
  child: ChildProcess
  idle: NodeJS.Timeout | undefined
  files: number
  isEnded: boolean
}

type Answer = { conversion: Conversion } | { problem: { kind: ProblemKind; message: string } }

/** Libraries leak and fragment memory, so a process is replaced after this many files. */
const mostFiles = 200
/** Memory that the runtime maps at its start, most of it never used; the limit counts it anyway. */
const runtimeMegabytes = 640
/** The reader of PDFs would take a gigabyte at once, used or not, and leave nothing of the limit to others. */
const memory = { MIMALLOC_ARENA_EAGER_COMMIT: '0' }
const script = fileURLToPath(new URL('./worker.ts', import.meta.url))
const tool = (name: string) => [`/usr/bin/${name}`, `/bin/${name}`].find((path) => existsSync(path))
const limiter = tool('prlimit')
const tether = tool('setpriv')

/**
 * Converts files in child processes. A process that takes too long, grows too large or dies is replaced, without
 * affecting others: native libraries abort the whole process, so threads would not be enough.
 */
export function documentConverter(limits: ConverterLimits, log: Log): Converter {
  const idle: Worker[] = []
  const busy = new Set<Worker>()
  const places = fairPlaces({ places: limits.processes, spare: limits.spare })
  const recognisers = fairPlaces({ places: limits.recognisers, spare: limits.spare })
  let isStopped = false

  function giveBack(worker: Worker): void {
    busy.delete(worker)
    worker.files += 1
    const isWorn = worker.files >= mostFiles || isStopped
    if (worker.child.connected && !worker.isEnded && !isWorn) {
      worker.idle = setTimeout(() => retire(worker), limits.idleMs)
      worker.idle.unref()
      idle.push(worker)
    } else end(worker)
  }

  function retire(worker: Worker): void {
    const at = idle.indexOf(worker)
    if (at >= 0) idle.splice(at, 1)
    end(worker)
  }

  return {
    async convert(order, who, signal) {
      const place = await places.enter(who, signal)
      const worker = idle.pop() ?? startWorker(limits)
      clearTimeout(worker.idle)
      busy.add(worker)
      const grant = (granted: RecogniserGrant) => void (worker.child.connected && worker.child.send(granted))
      const turns = recogniserTurns(recognisers, who, grant)
      try {
        return await runOn(worker, order, { signal, limits, log, turns })
      } finally {
        turns.end()
        giveBack(worker)
        place.leave()
      }
    },
    stop() {
      isStopped = true
      for (const worker of [...idle, ...busy]) end(worker)
      idle.length = 0
    },
  }
}

function startWorker(limits: ConverterLimits): Worker {
  const heap = Math.floor(limits.megabytes / 2)
  const node = [process.execPath, `--max-old-space-size=${heap}`, '--max-semi-space-size=4', script]
  // The limit counts data memory, so that it applies to native libraries as well.
  const held = limiter
    ? [limiter, `--data=${(limits.megabytes + runtimeMegabytes) * 1024 * 1024}`, '--core=0']
    : []
  // A process that is deep in a library would not notice that this one has been killed.
  const tied = tether ? [tether, '--pdeathsig', 'KILL'] : []
  const [program = '', ...args] = [...tied, ...held, ...node]
  // A killed process leaves its files behind, so its folder is removed with it.
  const folder = mkdtempSync(join(tmpdir(), 'winnow-converter-'))
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 }, () => {})
  const child = spawn(program, args, {
    // Without our environment: a program that reads untrusted files must not have our secrets.
    env: { ...memory, OMP_THREAD_LIMIT: '1', TMPDIR: folder },
    // A separate process group, so that programs it starts end with it.
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  })
  yieldToService(child)
  // A message to a process that has just ended fails too; its exit event informs the waiting caller.
  child.once('exit', remove).on('error', remove)
  child.unref()
  child.channel?.unref()
  return { child, idle: undefined, files: 0, isEnded: false }
}

/** Files use whole cores for minutes, so the service has priority. The programs that a process starts inherit this. */
function yieldToService({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has already ended, which its user notices.
  }
}

interface RunNeeds {
  signal: AbortSignal
  limits: ConverterLimits
  log: Log
  turns: { hear(ask: RecogniserAsk): void }
}

async function runOn(worker: Worker, order: ConversionOrder, needs: RunNeeds): Promise<Conversion> {
  const { child } = worker
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const heard = listener((word: Answer | RecogniserAsk) => {
    if ('conversion' in word || 'problem' in word) resolve(word)
    else needs.turns.hear(word)
  }, reject)
  const died = () => reject(limitExceeded('It needs more memory than allowed, or crashes the converter.'))
  const gone = () => reject(needs.signal.reason)
  const clock = setTimeout(
    () => reject(limitExceeded(`It takes longer than the limit of ${needs.limits.mostMs / 1000} seconds.`)),
    needs.limits.mostMs,
  )
  child.on('message', heard).once('exit', died).once('error', died)
  needs.signal.addEventListener('abort', gone, { once: true })
  let answer: Answer | undefined
  try {
    child.channel?.ref()
    child.send({ order }, (error) => error && died())
    answer = await promise
    return conversionOf(answer)
  } finally {
    // Still working, or dead: its answer would be taken for that of the next file.
    if (!answer) {
      needs.log.warn({ mediaType: order.mediaType }, 'a converter process was killed')
      end(worker)
    }
    clearTimeout(clock)
    needs.signal.removeEventListener('abort', gone)
    child.off('message', heard).off('exit', died).off('error', died)
    child.channel?.unref()
  }
}

function conversionOf(answer: Answer): Conversion {
  if ('conversion' in answer) return answer.conversion
  throw problemError(answer.problem)
}

const codes: Record<ProblemKind, ErrorCode> = {
  encrypted: 'DOCUMENT_ENCRYPTED',
  damaged: 'DOCUMENT_DAMAGED',
  empty: 'DOCUMENT_EMPTY',
  limit: 'DOCUMENT_LIMIT_EXCEEDED',
  unsupported: 'UNSUPPORTED_FILE_TYPE',
  'ocr-required': 'SCRAPE_PDF_OCR_REQUIRED',
  'ocr-missing': 'OCR_NOT_CONFIGURED',
}

/** A problem of a file, as the error for the caller. */
export function problemError({ kind, message }: { kind: ProblemKind; message: string }): AppError {
  return new AppError(codes[kind], { phase: 'convert' }, { message })
}

function limitExceeded(reason: string): AppError {
  return problemError({ kind: 'limit', message: `The file exceeds the limits of one conversion. ${reason}` })
}

function end(worker: Worker): void {
  worker.isEnded = true
  const { pid } = worker.child
  if (pid === undefined || worker.child.exitCode !== null || worker.child.signalCode !== null) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    worker.child.kill('SIGKILL')
  }
}
