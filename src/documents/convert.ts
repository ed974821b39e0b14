import { ChildFailure } from '../platform/child/child.ts'
import { createChildPool } from '../platform/child/child-pool.ts'
import { processProgram } from '../platform/child/process-program.ts'
import { AppError, type ErrorCode } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import { type PermitOwner, Permits } from '../platform/permits.ts'
import { temporaryFolderFull } from '../platform/temporary-files.ts'
import type { Conversion, ConversionRequest, ProblemKind } from './document.ts'
import { type OcrTurnGrant, type OcrTurnRequest, withOcrTurns } from './recogniser-turns.ts'

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
  convert(order: ConversionRequest, who: PermitOwner, signal: AbortSignal): Promise<Conversion>
  stop(): Promise<void>
}

type Answer = { conversion: Conversion } | { problem: { kind: ProblemKind; message: string } }

/** The reader of PDFs would take a gigabyte at once, used or not, and leave nothing of the limit to others. */
const environment = { MIMALLOC_ARENA_EAGER_COMMIT: '0', OMP_THREAD_LIMIT: '1' }
/** Files are read by the process itself; a request has only the path and the options. */
const maxRequestBytes = 4 * 1024 * 1024
/** More than the memory of a process: a reply is never what is too large. */
const maxReplyBytes = 1024 * 1024 * 1024

/** Converts files in child processes. One that takes too long, grows too large or dies is replaced. */
export function createDocumentConverter(limits: ConverterLimits, log: Log): Converter {
  const program = processProgram({
    ...{ name: 'converter', script: new URL('./worker.ts', import.meta.url), environment },
    ...{ megabytes: limits.megabytes, maxRequestBytes, maxReplyBytes },
  })
  const { processes: places, spare, idleMs } = limits
  const poolOptions = { places, spare, idleMs, maxRequests: 200, graceMs: 0 }
  const pool = createChildPool<ConversionRequest, Answer>(program, poolOptions, log)
  const limit = { ms: limits.mostMs, name: 'time of one file' }
  const recognisers = new Permits({ count: limits.recognisers, spare: limits.spare })

  return {
    async convert(order, who, signal) {
      let send: ((note: unknown) => void) | undefined
      const turns = { permits: recognisers, who, grant: (granted: OcrTurnGrant) => send?.(granted) }
      try {
        const answer = await withOcrTurns(turns, (hear) =>
          pool.ask(order, {
            ...{ who, signal, limit },
            onNote(note, reply) {
              send = reply
              // The script of the converter sends no other notes.
              hear(note as OcrTurnRequest)
            },
          }),
        )
        return conversionOf(answer)
      } catch (thrown) {
        throw thrown instanceof ChildFailure ? limitExceeded(limitOf(thrown, limits)) : thrown
      }
    },
    stop: pool.stop,
  }
}

function limitOf({ reason }: ChildFailure, { mostMs }: ConverterLimits): string {
  if (reason === 'time') return `It takes longer than the limit of ${mostMs / 1000} seconds.`
  return 'It needs more memory than allowed, or crashes the converter.'
}

function conversionOf(answer: Answer): Conversion {
  if ('conversion' in answer) return answer.conversion
  throw toProblemError(answer.problem)
}

const codes: Record<ProblemKind, ErrorCode> = {
  encrypted: 'DOCUMENT_ENCRYPTED',
  damaged: 'DOCUMENT_DAMAGED',
  empty: 'DOCUMENT_EMPTY',
  limit: 'DOCUMENT_LIMIT_EXCEEDED',
  unsupported: 'UNSUPPORTED_FILE_TYPE',
  'ocr-required': 'SCRAPE_PDF_OCR_REQUIRED',
  'ocr-missing': 'OCR_NOT_CONFIGURED',
  'temporary-folder-full': 'TEMPORARY_FOLDER_FULL',
}

/** A problem of a file, as the error for the caller. */
export function toProblemError({ kind, message }: { kind: ProblemKind; message: string }): AppError {
  // The folder of a converter process is inside that of this process, which has the same space.
  if (kind === 'temporary-folder-full') return temporaryFolderFull(new Error(message))
  return new AppError(codes[kind], { phase: 'convert' }, { message })
}

function limitExceeded(reason: string): AppError {
  return toProblemError({
    kind: 'limit',
    message: `The file exceeds the limits of one conversion. ${reason}`,
  })
}
