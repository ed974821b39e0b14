import type { Figure } from './figure.ts'
import { type ReadingBench, withBench } from './reading/bench.ts'
import { measureHighlights } from './reading/highlights.ts'
import { readOptions } from './reading/options.ts'
import { measureRecipes } from './reading/recipes.ts'

/** Parts of the benchmark; each calls the service over HTTP and prints its tables. */
const parts: Record<string, (bench: ReadingBench) => Promise<Figure[]>> = {
  json: (bench) => measureRecipes(bench, 'whole'),
  stripped: (bench) => measureRecipes(bench, 'stripped'),
  highlights: measureHighlights,
}

/** Measures recall and precision of the extraction by a schema without a model. */
export async function measure(): Promise<Figure[]> {
  const options = readOptions(Object.keys(parts))
  return withBench(options, async (bench) => {
    const figures: Figure[] = []
    for (const name of options.parts) figures.push(...((await parts[name]?.(bench)) ?? []))
    return figures
  })
}
