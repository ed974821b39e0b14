import type { Scores, SetScores } from './evaluate.ts'

const columns = ['training', 'validation', 'validationOfDevelopment', 'development'] as const
const heads = ['training', 'validation', 'on dev', 'development']
const rows = [
  ['aeb', 'main'],
  ['traf', 'main'],
  ['wcxb', 'main'],
  ['wcxb', 'macro'],
  ['wcxb', 'structure'],
] as const

/** A table with a column for each of the ways to look at the models. */
export function printScores(scores: Scores): string {
  const line = (first: string, cells: readonly string[]) =>
    `| ${first.padEnd(15)} | ${cells.map((cell) => cell.padStart(11)).join(' | ')} |`
  const cell = (of: SetScores, set: (typeof rows)[number][0], what: (typeof rows)[number][1]) =>
    of[set]?.[what]?.toFixed(4) ?? ''
  const total = (of: SetScores, what: 'pages' | 'empty') =>
    String(Object.values(of).reduce((sum, score) => sum + score[what], 0))
  return [
    line('', heads),
    `|${'-'.repeat(17)}|${`${'-'.repeat(12)}:|`.repeat(columns.length)}`,
    ...rows.map(([set, what]) =>
      line(
        `${set} ${what}`,
        columns.map((column) => cell(scores[column], set, what)),
      ),
    ),
    line(
      'pages',
      columns.map((column) => total(scores[column], 'pages')),
    ),
    line(
      'empty results',
      columns.map((column) => total(scores[column], 'empty')),
    ),
  ].join('\n')
}
