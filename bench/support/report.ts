import { table } from '../content/table.ts'
import type { Json } from './call.ts'
import type { AskRequest, SupportCase } from './case.ts'

/** Result of the agent for one case. */
export interface CaseResult {
  supportCase: SupportCase
  askRequest: AskRequest
  status: number
  answer: Json
  isRight: boolean
  /** Undefined if no parameters can fix the request. */
  isFixed: boolean | undefined
  ms: number
}

/** Prints the number of right and wrong answers by cause, and the causes of wrong answers. */
export function printByCause(results: readonly CaseResult[]): void {
  const rows = [...Map.groupBy(results, ({ supportCase }) => supportCase.cause)].map(([cause, members]) => {
    const wrong = members.filter(({ isRight }) => !isRight)
    const fixable = members.filter(({ isFixed }) => isFixed !== undefined)
    const fixed = fixable.filter(({ isFixed }) => isFixed)
    const wrongCauses = wrong.map(({ answer, status }) => String(answer.cause ?? `none (${status})`))
    return [
      ...[cause, String(members.length - wrong.length), String(wrong.length)],
      fixable.length === 0 ? '' : `${fixed.length} of ${fixable.length}`,
      wrongCauses.join(', '),
    ]
  })
  console.log(`\n${table([['cause', 'right', 'wrong', 'fixes that hold', 'said instead'], ...rows])}`)
}

export function printWrong(results: readonly CaseResult[]): void {
  for (const { supportCase, askRequest, status, answer, isRight, isFixed, ms } of results) {
    if (isRight && isFixed !== false) continue
    const { cause, confidence, fixParameters, validation, feedback } = answer
    const summary = { status, cause, confidence, fixParameters, validation, feedback }
    console.log(
      `\n${supportCase.cause} / ${supportCase.name}: ${isRight ? 'does not mend' : 'wrong'}, ${Math.round(ms)} ms`,
    )
    console.log(`  asked: ${askRequest.question}${askRequest.jobId ? ` (job ${askRequest.jobId})` : ''}`)
    console.log(`  answer: ${answer.answer ?? JSON.stringify(answer)}`)
    console.log(`  ${JSON.stringify(summary)}`)
  }
}
