import type { Figure } from './figure.ts'
import { type ReadingBench, withBench } from './reading/bench.ts'
import { measureHighlights } from './reading/highlights.ts'
import { measureJson, measureRecords } from './reading/json.ts'
import { readOptions } from './reading/options.ts'
import { measurePlanted } from './reading/planted.ts'

/** Each part asks the service over HTTP and prints its tables. */
const parts: Record<string, (bench: ReadingBench) => Promise<Figure[]>> = {
  json: (bench) => measureJson(bench, 'whole'),
  stripped: (bench) => measureJson(bench, 'stripped'),
  records: measureRecords,
  planted: measurePlanted,
  highlights: measureHighlights,
}

/** How much of what pages state is read by a schema without a model, and how much of it is true. */
export async function measure(): Promise<Figure[]> {
  const options = readOptions(Object.keys(parts))
  return withBench(options, async (bench) => {
    const figures: Figure[] = []
    for (const name of options.parts) figures.push(...((await parts[name]?.(bench)) ?? []))
    return figures
  })
}
