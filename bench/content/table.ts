import type { RunResult, SystemResult } from './result.ts'
import type { SetScore } from './scorer.ts'

/** Row of the comparison: one figure of every system. */
interface Line {
  title: string
  value(result: SystemResult, run: RunResult): number | undefined
  digits: number
  /** Better direction of the value; undefined if no value is better. */
  best?: 'highest' | 'lowest'
}

const unknownValue = '–'

/** Returns a table with a row per figure and a column per system; the best value of a row is bold. */
export function comparison(run: RunResult): string {
  const lines = [...scoreRows(run), ...costRows]
  const head = ['', ...run.systems.map(({ title }) => title)]
  const rows = lines.map((line) => [line.title, ...renderCells(line, run)])
  return table([head, ...rows.filter(([, ...values]) => values.some((value) => value !== unknownValue))])
}

function scoreRows(run: RunResult): Line[] {
  const types = [...new Set(run.systems.flatMap(({ sets }) => Object.keys(sets.wcxb?.types ?? {})))]
  return [
    scoreRow('aeb', ({ sets }) => sets.aeb?.main),
    scoreRow('traf', ({ sets }) => sets.traf?.main),
    scoreRow('wcxb', ({ sets }) => sets.wcxb?.main),
    scoreRow('mean of these three', meanOfThree),
    ...(['p', 'r'] as const).flatMap((part) =>
      (['aeb', 'traf', 'wcxb'] as const).map((set) =>
        scoreRow(
          `${set}, ${part === 'p' ? 'precision' : 'recall'}`,
          ({ sets }) => getWordScore(sets, set)?.[part],
        ),
      ),
    ),
    scoreRow('wcxb, mean over page types', ({ sets }) => sets.wcxb?.macroType),
    ...types.map((type) => scoreRow(`wcxb: ${type}`, ({ sets }) => sets.wcxb?.types?.[type]?.f1)),
    scoreRow('wcxb, structure', ({ sets }) => sets.wcxb?.structure?.score),
    scoreRow('readability', ({ sets }) => sets.readability?.main),
    scoreRow('readability, structure', ({ sets }) => sets.readability?.structure?.score),
    scoreRow('defuddle', ({ sets }) => sets.defuddle?.main),
    scoreRow('defuddle, structure', ({ sets }) => sets.defuddle?.structure?.score),
    scoreRow('h2m, conversion', ({ sets }) => sets.h2m?.main),
    scoreRow('h2m, main content', ({ h2mMainContent }) => h2mMainContent?.main),
  ]
}

const costRows: Line[] = [
  { title: 'pages', value: ({ pages }) => pages, digits: 0 },
  { title: 'empty results', value: ({ empty }) => empty, digits: 0, best: 'lowest' },
  {
    title: 'empty though the HTML has the text',
    value: ({ emptyDespiteText }) => emptyDespiteText.length,
    digits: 0,
    best: 'lowest',
  },
  { title: 'errors', value: ({ errors }) => errors, digits: 0, best: 'lowest' },
  timeRow('ms per page, median', ({ times }) => times?.median),
  timeRow('ms per page of 50 to 200 KB, median', ({ times }) => times?.mediumPagesMedian),
  timeRow('ms per page, 95th percentile', ({ times }) => times?.p95),
  timeRow('ms of the worst page', ({ times }) => times?.worst.ms),
  {
    title: 'times the CPU of Winnow, median',
    value: (result, { systems }) => {
      const winnow = systems.find(({ name }) => name === 'winnow')
      if (winnow?.clock !== 'cpu' || !winnow.times || !result.times) return undefined
      return result.times.median / winnow.times.median
    },
    digits: 1,
  },
]

function scoreRow(title: string, value: Line['value']): Line {
  return { title, value, digits: 3, best: 'highest' }
}

function timeRow(title: string, value: Line['value']): Line {
  return { title, value, digits: 1, best: 'lowest' }
}

/** Score of each set from which its `main` is computed. */
const wordScoreOf = { aeb: 'shingle', traf: 'snippets', wcxb: 'token' } as const
const getWordScore = (sets: Record<string, SetScore>, set: keyof typeof wordScoreOf) =>
  sets[set]?.[wordScoreOf[set]]

function meanOfThree({ sets }: SystemResult): number | undefined {
  const mainScores = ['aeb', 'traf', 'wcxb'].flatMap((set) => sets[set]?.main ?? [])
  return mainScores.length === 3 ? mainScores.reduce((sum, main) => sum + main, 0) / 3 : undefined
}

function renderCells({ value, digits, best }: Line, run: RunResult): string[] {
  const texts = run.systems.map((result) => value(result, run)?.toFixed(digits))
  const numbers = texts.flatMap((text) => (text === undefined ? [] : Number(text)))
  const bestValue =
    best === 'highest' ? Math.max(...numbers) : best === 'lowest' ? Math.min(...numbers) : undefined
  // A row with equal values has no best value.
  const hasBest = new Set(numbers).size > 1
  return texts.map((text) => {
    if (text === undefined) return unknownValue
    return hasBest && Number(text) === bestValue ? `**${text}**` : text
  })
}

/** Returns a Markdown table with the padding of the formatter, so that the written document needs no formatting. */
export function table(rows: string[][]): string {
  const [head = []] = rows
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const renderLine = (row: string[]) =>
    `| ${row.map((cell, column) => pad(cell, column, widths[column] ?? 0)).join(' | ')} |`
  const separator = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  )
  return [renderLine(head), `| ${separator.join(' | ')} |`, ...rows.slice(1).map(renderLine)].join('\n')
}

function pad(cell: string, column: number, width: number): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width)
}
