import { type Figure, median, plain } from '../figure.ts'
import { type Json, patientCall } from './call.ts'
import type { Ask, SupportCase } from './case.ts'
import { casesOf } from './cases/all.ts'
import { inKits } from './in-kits.ts'
import type { CaseKit } from './kit.ts'
import type { SupportOptions } from './options.ts'
import { printByCause, printWrong } from './report.ts'
import { sentencesOf } from './sentences.ts'

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

/** Arranges each broken request, asks about it, and tries the parameters that come back. */
export async function measureCases(options: SupportOptions): Promise<Figure[]> {
  const cases = casesOf(options)
  const judged = await inKits(cases, 2, judge)
  if (!options.halves.includes('kept-back')) printByCause(judged)
  if (options.showsWrong) printWrong(judged)
  return figuresOf(judged)
}

async function judge(one: SupportCase, { kit, caller, missing }: CaseKit): Promise<Judged> {
  const ask = await one.arrange(kit)
  if (missing.length > 0) console.log(`A case does not show its symptom; see BENCH_SUPPORT_PARTS=symptoms.`)
  const asked = { method: 'POST', path: '/v2/support/ask', body: ask }
  const { status, body, ms } = await patientCall(caller, asked)
  const answer = body?.requestId === undefined ? (body?.data ?? body ?? {}) : body
  const right: readonly unknown[] = [one.cause, ...(one.alsoRight ?? [])]
  return { one, ask, status, answer, isRight: right.includes(answer.cause), isMended: await mends(), ms }

  async function mends(): Promise<boolean | undefined> {
    if (one.fix === undefined) return undefined
    const parameters: unknown = answer.fixParameters
    if (typeof parameters !== 'object' || parameters === null) return false
    // An object; what it holds is for the service to judge.
    return one.fix.holds(kit, parameters as Record<string, unknown>).catch(() => false)
  }
}

function figuresOf(judged: readonly Judged[]): Figure[] {
  const count = (fits: (one: Judged) => boolean) => judged.filter(fits).length
  const answered = judged.filter(({ status }) => status === 200)
  const fixable = count(({ isMended }) => isMended !== undefined)
  const sentences = answered.map(({ answer }) => sentencesOf(String(answer.answer ?? '')).length)
  const times = answered.map(({ ms }) => ms / 1000)
  return [
    plain('cases', judged.length, ''),
    plain('answered', answered.length, ''),
    plain(
      'cause right',
      count(({ isRight }) => isRight),
      `of ${judged.length}`,
    ),
    plain(
      'fix holds',
      count(({ isMended }) => isMended === true),
      `of ${fixable}`,
    ),
    plain(
      'parameters where none can mend',
      count(({ isMended, answer }) => isMended === undefined && hasParameters(answer)),
      `of ${judged.length - fixable}`,
    ),
    plain(
      'right among answers of high confidence',
      count(({ answer, isRight }) => answer.confidence === 'high' && isRight),
      `of ${count(({ answer }) => answer.confidence === 'high')}`,
    ),
    plain('answers of 2 to 4 sentences', sentences.filter((many) => many >= 2 && many <= 4).length, ''),
    plain('time, median', median(times), 's'),
    plain('time, longest', Math.max(0, ...times), 's'),
  ]
}

const hasParameters = ({ fixParameters }: Json) =>
  typeof fixParameters === 'object' && fixParameters !== null && Object.keys(fixParameters).length > 0
