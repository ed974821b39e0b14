import { table } from '../content/table.ts'
import type { Json } from './call.ts'
import type { Ask, SupportCase } from './case.ts'

/** Result of the agent for one case. */
export interface Judged {
  one: SupportCase
  ask: Ask
  status: number
  answer: Json
  isRight: boolean
  /** Undefined if no parameters can fix the request. */
  isMended: boolean | undefined
  ms: number
}

/** Prints the number of right and wrong answers by cause, and the causes of wrong answers. */
export function printByCause(results: readonly Judged[]): void {
  const rows = [...Map.groupBy(results, ({ one }) => one.cause)].map(([cause, members]) => {
    const wrong = members.filter(({ isRight }) => !isRight)
    const fixable = members.filter(({ isMended }) => isMended !== undefined)
    const fixed = fixable.filter(({ isMended }) => isMended)
    const wrongCauses = wrong.map(({ answer, status }) => String(answer.cause ?? `none (${status})`))
    return [
      ...[cause, String(members.length - wrong.length), String(wrong.length)],
      fixable.length === 0 ? '' : `${fixed.length} of ${fixable.length}`,
      wrongCauses.join(', '),
    ]
  })
  console.log(`\n${table([['cause', 'right', 'wrong', 'fixes that hold', 'said instead'], ...rows])}`)
}

export function printWrong(results: readonly Judged[]): void {
  for (const { one, ask, status, answer, isRight, isMended, ms } of results) {
    if (isRight && isMended !== false) continue
    const { cause, confidence, fixParameters, validation, feedback } = answer
    const summary = { status, cause, confidence, fixParameters, validation, feedback }
    console.log(`\n${one.cause} / ${one.name}: ${isRight ? 'does not mend' : 'wrong'}, ${Math.round(ms)} ms`)
    console.log(`  asked: ${ask.question}${ask.jobId ? ` (job ${ask.jobId})` : ''}`)
    console.log(`  answer: ${answer.answer ?? JSON.stringify(answer)}`)
    console.log(`  ${JSON.stringify(summary)}`)
  }
}
