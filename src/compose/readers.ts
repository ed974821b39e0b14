import { availableParallelism } from 'node:os'
import type { Log } from '../base/log.ts'
import { documentConverter } from '../documents/convert.ts'
import { pageReader } from '../page-threads/page-reader.ts'
import type { Settings } from '../settings.ts'

/** What reads files and pages beside this thread. */
export function openReaders({ bounds }: Settings, log: Log) {
  return {
    converter: documentConverter(converterLimits, log),
    reader: pageReader({ ...readerLimits, answerBytes: bounds.answerBytes }, log),
  }
}

export type Readers = ReturnType<typeof openReaders>

/** A file has the memory of a large document and more time than any caller waits; one per core, and never one alone. */
const converterLimits = {
  processes: Math.max(2, availableParallelism()),
  recognisers: Math.max(2, availableParallelism()),
  spare: 1,
  megabytes: 1024,
  mostMs: 300_000,
  idleMs: 60_000,
}

/** Pages are read in as many threads as there are cores, and one that takes long never stands before all others. */
const readerLimits = {
  threads: Math.max(2, availableParallelism()),
  spare: 1,
  megabytes: 512,
  idleMs: 60_000,
  graceMs: 1000,
}
