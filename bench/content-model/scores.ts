import type { Scores, SetScores } from './evaluate.ts'

const columns = ['training', 'validation', 'validationOfDevelopment', 'development'] as const
const headings = ['training', 'validation', 'on dev', 'development']
const rows = [
  ['aeb', 'main'],
  ['traf', 'main'],
  ['wcxb', 'main'],
  ['wcxb', 'macro'],
  ['wcxb', 'structure'],
] as const

/** Returns a table with a column for each kind of evaluation. */
export function formatScores(scores: Scores): string {
  const renderLine = (first: string, cells: readonly string[]) =>
    `| ${first.padEnd(15)} | ${cells.map((cell) => cell.padStart(11)).join(' | ')} |`
  const getCell = (setScores: SetScores, set: (typeof rows)[number][0], key: (typeof rows)[number][1]) =>
    setScores[set]?.[key]?.toFixed(4) ?? ''
  const total = (setScores: SetScores, key: 'pages' | 'empty') =>
    String(Object.values(setScores).reduce((sum, score) => sum + score[key], 0))
  return [
    renderLine('', headings),
    `|${'-'.repeat(17)}|${`${'-'.repeat(12)}:|`.repeat(columns.length)}`,
    ...rows.map(([set, key]) =>
      renderLine(
        `${set} ${key}`,
        columns.map((column) => getCell(scores[column], set, key)),
      ),
    ),
    renderLine(
      'pages',
      columns.map((column) => total(scores[column], 'pages')),
    ),
    renderLine(
      'empty results',
      columns.map((column) => total(scores[column], 'empty')),
    ),
  ].join('\n')
}
