import { readFileSync, writeFileSync } from 'node:fs'
import { expectationsOf, generators, markdownOf } from './corpus.ts'
import { holds, wishes } from './expectation.ts'

const path = new URL('open.json', import.meta.url)

/** By generator, what does not hold: the page, the kind and what is wanted. */
export type Open = Record<string, string[]>

export const readOpen = () => JSON.parse(readFileSync(path, 'utf8')) as Open

export interface Outcome {
  count: number
  failed: string[]
}

export function outcomeOf(generator: string): Outcome {
  const outcome: Outcome = { count: 0, failed: [] }
  for (const [page, expectation] of expectationsOf(generator)) {
    const markdown = markdownOf(generator, page, expectation.url)
    for (const wish of wishes(expectation)) {
      outcome.count += 1
      if (!holds(wish, markdown)) outcome.failed.push(`${page} ${wish.kind}: ${wish.wanted}`)
    }
  }
  return outcome
}

/** Takes out of the list what holds by now; with `all`, also puts in what does not. */
function rewrite(isAll: boolean): void {
  const known = readOpen()
  const open: Open = {}
  for (const generator of generators) {
    const { failed } = outcomeOf(generator)
    const left = isAll ? failed : failed.filter((wish) => known[generator]?.includes(wish))
    if (left.length > 0) open[generator] = left
  }
  writeFileSync(path, `${JSON.stringify(open, null, 2)}\n`)
}

if (process.argv[1] === import.meta.filename) rewrite(process.argv[2] === 'all')
