import type { RunResult, SystemResult } from './result.ts'
import type { SetScore } from './scorer.ts'

/** One line of the comparison: a figure of every system. */
interface Line {
  title: string
  value(result: SystemResult, run: RunResult): number | undefined
  digits: number
  /** Which end is the better one; none where a line is no contest. */
  best?: 'highest' | 'lowest'
}

const unknown = '–'

/** Side by side, figures as lines and systems as columns; the best of a line is bold. */
export function comparison(run: RunResult): string {
  const lines = [...scores(run), ...costs]
  const head = ['', ...run.systems.map(({ title }) => title)]
  const rows = lines.map((line) => [line.title, ...cells(line, run)])
  return table([head, ...rows.filter(([, ...values]) => values.some((value) => value !== unknown))])
}

function scores(run: RunResult): Line[] {
  const types = [...new Set(run.systems.flatMap(({ sets }) => Object.keys(sets.wcxb?.types ?? {})))]
  return [
    score('aeb', ({ sets }) => sets.aeb?.main),
    score('traf', ({ sets }) => sets.traf?.main),
    score('wcxb', ({ sets }) => sets.wcxb?.main),
    score('mean of these three', meanOfThree),
    ...(['p', 'r'] as const).flatMap((half) =>
      (['aeb', 'traf', 'wcxb'] as const).map((set) =>
        score(`${set}, ${half === 'p' ? 'precision' : 'recall'}`, ({ sets }) => wordsOf(sets, set)?.[half]),
      ),
    ),
    score('wcxb, mean over page types', ({ sets }) => sets.wcxb?.macroType),
    ...types.map((type) => score(`wcxb: ${type}`, ({ sets }) => sets.wcxb?.types?.[type]?.f1)),
    score('wcxb, structure', ({ sets }) => sets.wcxb?.structure?.score),
    score('readability', ({ sets }) => sets.readability?.main),
    score('readability, structure', ({ sets }) => sets.readability?.structure?.score),
    score('defuddle', ({ sets }) => sets.defuddle?.main),
    score('defuddle, structure', ({ sets }) => sets.defuddle?.structure?.score),
    score('h2m, conversion', ({ sets }) => sets.h2m?.main),
    score('h2m, asked for main content', ({ goldenAsMain }) => goldenAsMain?.main),
  ]
}

const costs: Line[] = [
  { title: 'pages', value: ({ pages }) => pages, digits: 0 },
  { title: 'empty results', value: ({ empty }) => empty, digits: 0, best: 'lowest' },
  {
    title: 'empty though the HTML has the text',
    value: ({ emptyInVain }) => emptyInVain.length,
    digits: 0,
    best: 'lowest',
  },
  { title: 'errors', value: ({ errors }) => errors, digits: 0, best: 'lowest' },
  time('ms per page, median', ({ times }) => times?.median),
  time('ms per page of 50 to 200 KB, median', ({ times }) => times?.middle),
  time('ms per page, 95th percentile', ({ times }) => times?.p95),
  time('ms of the worst page', ({ times }) => times?.worst.ms),
  {
    title: 'times the CPU of Winnow, median',
    value: (result, { systems }) => {
      const ours = systems.find(({ name }) => name === 'winnow')
      if (ours?.clock !== 'cpu' || !ours.times || !result.times) return undefined
      return result.times.median / ours.times.median
    },
    digits: 1,
  },
]

function score(title: string, value: Line['value']): Line {
  return { title, value, digits: 3, best: 'highest' }
}

function time(title: string, value: Line['value']): Line {
  return { title, value, digits: 1, best: 'lowest' }
}

/** As its `main` is counted. */
const halves = { aeb: 'shingle', traf: 'snippets', wcxb: 'token' } as const
const wordsOf = (sets: Record<string, SetScore>, set: keyof typeof halves) => sets[set]?.[halves[set]]

function meanOfThree({ sets }: SystemResult): number | undefined {
  const mains = ['aeb', 'traf', 'wcxb'].flatMap((set) => sets[set]?.main ?? [])
  return mains.length === 3 ? mains.reduce((sum, main) => sum + main, 0) / 3 : undefined
}

function cells({ value, digits, best }: Line, run: RunResult): string[] {
  const texts = run.systems.map((result) => value(result, run)?.toFixed(digits))
  const numbers = texts.flatMap((text) => (text === undefined ? [] : Number(text)))
  const winner =
    best === 'highest' ? Math.max(...numbers) : best === 'lowest' ? Math.min(...numbers) : undefined
  // A line on which all are the same has no best.
  const isContest = new Set(numbers).size > 1
  return texts.map((text) => {
    if (text === undefined) return unknown
    return isContest && Number(text) === winner ? `**${text}**` : text
  })
}

/** Padded as the formatter pads, so that a written document needs no second hand. */
export function table(rows: string[][]): string {
  const [head = []] = rows
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (row: string[]) =>
    `| ${row.map((cell, column) => pad(cell, column, widths[column] ?? 0)).join(' | ')} |`
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  return [line(head), `| ${rule.join(' | ')} |`, ...rows.slice(1).map(line)].join('\n')
}

function pad(cell: string, column: number, width: number): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width)
}
