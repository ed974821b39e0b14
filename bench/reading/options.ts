import { MeasureError } from '../figure.ts'

export interface ReadingOptions {
  parts: readonly string[]
  /**
   * Folder with recipes.dev.jsonl.gz and squad.dev.json.gz. These pages may not be distributed with this repository.
   */
  folder: string | undefined
}

export function readOptions(known: readonly string[]): ReadingOptions {
  const parts = process.env.BENCH_READING_PARTS?.split(',') ?? known
  const unknown = parts.filter((part) => !known.includes(part))
  if (unknown.length > 0) {
    throw new MeasureError(`no such part: ${unknown.join(', ')}. There are: ${known.join(', ')}.`)
  }
  return { parts, folder: process.env.BENCH_READING }
}
