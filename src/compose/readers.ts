import { availableParallelism } from 'node:os'
import type { Log } from '../base/log.ts'
import { documentConverter } from '../documents/convert.ts'
import { pageReader } from '../page-threads/page-reader.ts'
import type { Settings } from '../settings.ts'

/** The readers of files and pages outside this thread. */
export function openReaders({ bounds }: Settings, log: Log) {
  return {
    converter: documentConverter(converterLimits, log),
    reader: pageReader({ ...readerLimits, answerBytes: bounds.answerBytes }, log),
  }
}

export type Readers = ReturnType<typeof openReaders>

/** Each converter gets the memory for a large document and more time than any caller waits. One per core, and at least two. */
const converterLimits = {
  processes: Math.max(2, availableParallelism()),
  recognisers: Math.max(2, availableParallelism()),
  spare: 1,
  megabytes: 1024,
  mostMs: 300_000,
  idleMs: 60_000,
}

/** One thread per core reads pages, and at least two, so that a slow page never blocks all others. */
const readerLimits = {
  threads: Math.max(2, availableParallelism()),
  spare: 1,
  megabytes: 512,
  idleMs: 60_000,
  graceMs: 1000,
}
