import { table } from '../content/table.ts'
import type { Json } from './call.ts'
import type { Ask, SupportCase } from './case.ts'

/** How the agent did on one case. */
export interface Judged {
  one: SupportCase
  ask: Ask
  status: number
  answer: Json
  isRight: boolean
  /** Undefined where no parameters can mend the request. */
  isMended: boolean | undefined
  ms: number
}

/** Right and wrong by cause, with what was said instead. */
export function printByCause(judged: readonly Judged[]): void {
  const rows = [...Map.groupBy(judged, ({ one }) => one.cause)].map(([cause, members]) => {
    const wrong = members.filter(({ isRight }) => !isRight)
    const fixable = members.filter(({ isMended }) => isMended !== undefined)
    const mended = fixable.filter(({ isMended }) => isMended)
    const said = wrong.map(({ answer, status }) => String(answer.cause ?? `none (${status})`))
    return [
      ...[cause, String(members.length - wrong.length), String(wrong.length)],
      fixable.length === 0 ? '' : `${mended.length} of ${fixable.length}`,
      said.join(', '),
    ]
  })
  console.log(`\n${table([['cause', 'right', 'wrong', 'fixes that hold', 'said instead'], ...rows])}`)
}

export function printWrong(judged: readonly Judged[]): void {
  for (const { one, ask, status, answer, isRight, isMended, ms } of judged) {
    if (isRight && isMended !== false) continue
    const { cause, confidence, fixParameters, validation, feedback } = answer
    const said = { status, cause, confidence, fixParameters, validation, feedback }
    console.log(`\n${one.cause} / ${one.name}: ${isRight ? 'does not mend' : 'wrong'}, ${Math.round(ms)} ms`)
    console.log(`  asked: ${ask.question}${ask.jobId ? ` (job ${ask.jobId})` : ''}`)
    console.log(`  answer: ${answer.answer ?? JSON.stringify(answer)}`)
    console.log(`  ${JSON.stringify(said)}`)
  }
}
