import type { FieldScore } from './score.ts'

/** Sums of fields. */
export interface Tally {
  pages: number
  wanted: number
  filled: number
  right: number
  /** Fields that the page does not state, and how many of them were filled. */
  absent: number
  invented: number
}

export const noTally = (): Tally => ({ pages: 0, wanted: 0, filled: 0, right: 0, absent: 0, invented: 0 })

export function addFields(tally: Tally, fields: readonly FieldScore[]): Tally {
  for (const field of fields) {
    tally[field.isWanted ? 'wanted' : 'absent'] += 1
    if (field.isFilled) tally.filled += 1
    if (field.isRight) tally.right += 1
    if (field.isFilled && field.want === undefined) tally.invented += 1
  }
  return tally
}

export function tallyOf(answers: readonly (readonly FieldScore[])[]): Tally {
  const tally = noTally()
  for (const fields of answers) addFields(tally, fields).pages += 1
  return tally
}

/** One tally for each group, in the order in which the groups come. */
export function tallies<Answer>(
  answers: readonly Answer[],
  group: (answer: Answer) => string,
  fields: (answer: Answer) => readonly FieldScore[],
): Map<string, Tally> {
  const groups = Map.groupBy(answers, group)
  return new Map([...groups].map(([name, members]) => [name, tallyOf(members.map(fields))]))
}

export const recall = ({ right, wanted }: Tally) => (wanted === 0 ? 0 : right / wanted)
export const precision = ({ right, filled }: Tally) => (filled === 0 ? 0 : right / filled)
