import { table } from '../content/table.ts'
import type { Asked, AskedAll } from './ask.ts'
import { baselineAnswer } from './baseline.ts'
import { sumOfEvidence } from './evidence.ts'
import type { ReadingOptions } from './options.ts'
import { type FieldScore, scoreAnswer } from './score.ts'
import { precision, recall, type Tally, tallies, tallyOf } from './tally.ts'

export interface Summary {
  all: Tally
  recall: number
  precision: number
  /** Share of the filled fields that have evidence. */
  covered: number
}

/** Prints how well a set of pages was read: by vertical, by kind of field, by carrier, and by a few lines of code. */
export function report(
  name: string,
  { asked, fetchMs, totalMs }: AskedAll,
  options: ReadingOptions,
): Summary {
  const all = tallyOf(asked.map(({ fields }) => fields))
  const fieldsOf = ({ fields }: Asked) => fields
  const baseline = asked.map(({ page, form, base }) =>
    scoreAnswer(page.schema, form.expected, baselineAnswer(form.html, page.schema), base),
  )
  const single = asked.flatMap(({ fields }) => fields.map((field) => [field]))
  const kinds = tallies(
    single,
    ([field]) => field?.kind ?? '',
    (fields) => fields,
  )
  console.log(`\n${name}: ${options.halves.join(' and ')}, ${asked.length} pages`)
  print(
    'vertical',
    tallies(asked, ({ page }) => page.vertical, fieldsOf),
    [
      ['all', all],
      ['baseline', tallyOf(baseline)],
    ],
  )
  print('kind of field', kinds)
  print(
    'structured data',
    tallies(asked, ({ page }) => page.carrier, fieldsOf),
  )
  print(
    'template',
    tallies(asked, ({ page }) => `${page.vertical}/${page.template}`, fieldsOf),
  )
  if (options.showsMisses && !options.halves.includes('kept-back')) for (const one of asked) printMisses(one)
  const evidence = sumOfEvidence(asked.map((one) => one.evidence))
  const failed = asked.filter(({ error }) => error !== undefined)
  if (failed[0]) console.log(`${failed.length} failed, the first with: ${failed[0].error}`)
  const summary = {
    all,
    recall: recall(all),
    precision: precision(all),
    covered: share(evidence.covered, evidence.filled),
  }
  console.log(
    `${name.toUpperCase()} recall ${summary.recall.toFixed(4)} precision ${summary.precision.toFixed(4)} ` +
      `invented ${share(all.invented, all.absent).toFixed(4)} with-evidence ${summary.covered.toFixed(3)} ` +
      `quoting-the-page ${share(evidence.quoted, evidence.covered).toFixed(3)} ` +
      `baseline ${recall(tallyOf(baseline)).toFixed(4)}/${precision(tallyOf(baseline)).toFixed(4)} ` +
      `CPU ${totalMs.toFixed(0)} ms/page (${fetchMs.toFixed(0)} without json)`,
  )
  return summary
}

export const share = (part: number, whole: number) => (whole === 0 ? 0 : part / whole)

function print(what: string, groups: Map<string, Tally>, more: [string, Tally][] = []): void {
  const rows = [...groups, ...more].map(([name, tally]) => [
    name,
    ...[tally.pages, tally.wanted].map(String),
    ...[recall(tally), precision(tally), share(tally.invented, tally.absent)].map((value) =>
      value.toFixed(3),
    ),
  ])
  console.log(
    `${table([[what, what === 'kind of field' ? 'fields' : 'pages', 'wanted', 'recall', 'precision', 'invented'], ...rows])}\n`,
  )
}

function printMisses({ page, fields }: Asked): void {
  for (const field of fields)
    if (field.isRight !== field.isWanted || (field.isFilled && !field.isRight)) printMiss(page.id, field)
}

function printMiss(id: string, { path, isWanted, isFilled, want, got }: FieldScore): void {
  const verdict = isWanted ? (isFilled ? 'wrong' : 'missed') : 'invented'
  console.log(`${verdict} ${id} ${path}: wanted ${JSON.stringify(want)}, got ${JSON.stringify(got)}`)
}
