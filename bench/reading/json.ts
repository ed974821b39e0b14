import { atLeast, atMost, type Figure, plain } from '../figure.ts'
import { askAll } from './ask.ts'
import type { ReadingBench } from './bench.ts'
import { measureRecipes } from './recipes.ts'
import { report } from './report.ts'
import { pagesOf } from './sites/all.ts'
import type { BenchPage } from './sites/template.ts'

/** What the issue of an answer by schema is held to. */
const needed = {
  whole: { title: 'json', recall: 0.92, precision: 0.95 },
  stripped: { title: 'json stripped', recall: 0.65, precision: 0.85 },
} as const

/** Pages of one thing each, with their structured data or without. */
export async function measureJson(bench: ReadingBench, form: 'whole' | 'stripped'): Promise<Figure[]> {
  const { title, ...bounds } = needed[form]
  const pages = chosen(bench, ({ vertical }) => vertical !== 'listings')
  const all = await askAll(bench, pages, form)
  const { recall, precision, covered } = report(title, all, bench.options)
  return [
    atLeast(`${title}: recall`, recall, bounds.recall, ''),
    atLeast(`${title}: precision`, precision, bounds.precision, ''),
    plain(`${title}: filled fields with evidence`, covered, ''),
    ...(all.asked.some(({ error }) => error !== undefined)
      ? []
      : [atMost(`${title}: processor time per page`, all.totalMs, 60, 'ms')]),
    ...(await measureRecipes(bench, form)),
  ]
}

/** Lists of things: cards, rows, results. */
export async function measureRecords(bench: ReadingBench): Promise<Figure[]> {
  const pages = chosen(bench, ({ vertical }) => vertical === 'listings')
  const figures: Figure[] = []
  for (const form of ['whole', 'stripped'] as const) {
    const title = form === 'whole' ? 'records' : 'records stripped'
    const all = await askAll(bench, pages, form)
    const { recall, precision } = report(title, all, bench.options)
    figures.push(atLeast(`${title}: fields`, recall, 0.85, ''), plain(`${title}: precision`, precision, ''))
  }
  return figures
}

function chosen({ options }: ReadingBench, fits: (page: BenchPage) => boolean): BenchPage[] {
  return pagesOf(options.halves).filter((page) => page.id.includes(options.only) && fits(page))
}
