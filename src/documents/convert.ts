import { ChildError } from '../platform/child/child.ts'
import { createChildPool } from '../platform/child/child-pool.ts'
import { processProgram } from '../platform/child/process-program.ts'
import { AppError } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import { type PermitOwner, Permits } from '../platform/permits.ts'
import { temporaryFolderFull } from '../platform/temporary-files.ts'
import { type Conversion, type ConversionRequest, type ProblemKind, problemCodes } from './document.ts'
import { type OcrPermitGrant, type OcrPermitRequest, withOcrPermits } from './recogniser-turns.ts'

export interface ConverterLimits {
  processes: number
  recognisers: number
  /** Processes and recognisers kept for teams that hold none, so that a busy team cannot delay them. */
  spare: number
  megabytes: number
  maxMs: number
  idleMs: number
}

type WorkerReply = { conversion: Conversion } | { problem: { kind: ProblemKind; message: string } }

/** The PDF reader would otherwise commit a gigabyte immediately, used or not, which exhausts the memory limit. */
const environment = { MIMALLOC_ARENA_EAGER_COMMIT: '0', OMP_THREAD_LIMIT: '1' }
const maxRequestBytes = 4 * 1024 * 1024
/** More than the memory limit of a process, so a reply is never too large. */
const maxReplyBytes = 1024 * 1024 * 1024

export function createDocumentConverter(limits: ConverterLimits, log: Log) {
  const program = processProgram({
    ...{ name: 'converter', script: new URL('./worker.ts', import.meta.url), environment },
    ...{ megabytes: limits.megabytes, maxRequestBytes, maxReplyBytes },
  })
  const { processes, spare, idleMs } = limits
  const poolOptions = { maxChildren: processes, spare, idleMs, maxRequests: 200, graceMs: 0 }
  const pool = createChildPool<ConversionRequest, WorkerReply>(program, poolOptions, log)
  const limit = { ms: limits.maxMs, name: 'time of one file' }
  const recognisers = new Permits({ count: limits.recognisers, spare: limits.spare })

  return {
    async convert(request: ConversionRequest, who: PermitOwner, signal: AbortSignal): Promise<Conversion> {
      let send: ((workerMessage: unknown) => void) | undefined
      const ocrPermits = { permits: recognisers, who, grant: (granted: OcrPermitGrant) => send?.(granted) }
      try {
        const workerReply = await withOcrPermits(ocrPermits, (handleMessage) =>
          pool.ask(request, {
            ...{ who, signal, limit },
            onNote(workerMessage, reply) {
              send = reply
              // The worker script sends no other messages.
              handleMessage(workerMessage as OcrPermitRequest)
            },
          }),
        )
        if ('conversion' in workerReply) return workerReply.conversion
        throw toProblemError(workerReply.problem)
      } catch (thrown) {
        throw thrown instanceof ChildError ? createLimitError(thrown, limits) : thrown
      }
    },
    stop: pool.stop,
  }
}

export function toProblemError({ kind, message }: { kind: ProblemKind; message: string }): AppError {
  // The temporary folder of a converter process is inside that of this process, so both have the same disk space.
  if (kind === 'temporary-folder-full') return temporaryFolderFull(new Error(message))
  return new AppError(problemCodes[kind], { phase: 'convert' }, { message })
}

export type Converter = ReturnType<typeof createDocumentConverter>

function createLimitError({ reason }: ChildError, { maxMs }: ConverterLimits): AppError {
  const timeProblem = `It takes longer than the limit of ${maxMs / 1000} seconds.`
  const memoryProblem = 'It needs more memory than allowed, or crashes the converter.'
  const exceeded = reason === 'time' ? timeProblem : memoryProblem
  const message = `The file exceeds the limits of one conversion. ${exceeded}`
  return toProblemError({ kind: 'limit', message })
}
