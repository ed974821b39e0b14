import { type Figure, median, plain } from '../figure.ts'
import { type Json, patientCall } from './call.ts'
import type { SupportCase } from './case.ts'
import { casesOf } from './cases/all.ts'
import { counted } from './counted.ts'
import { inKits } from './in-kits.ts'
import type { CaseKit } from './kit.ts'
import type { SupportOptions } from './options.ts'
import { type Judged, printByCause, printWrong } from './report.ts'
import { sentencesOf } from './sentences.ts'

/** Arranges each broken request, asks about it, and tries the parameters that come back. */
export async function measureCases(options: SupportOptions): Promise<Figure[]> {
  const cases = casesOf(options)
  const judged = (await inKits(cases, 2, judge)).filter((one) => one !== undefined)
  if (!options.halves.includes('kept-back')) printByCause(judged)
  if (options.showsWrong) printWrong(judged)
  return [
    counted('cases without their symptom, left out', cases.length - judged.length),
    ...figuresOf(judged),
  ]
}

/** Undefined where the request did not break as meant: on a busy machine, what comes late may come too late or in time. */
async function judge(one: SupportCase, { kit, caller, missing }: CaseKit): Promise<Judged | undefined> {
  const ask = await one.arrange(kit).catch(() => undefined)
  if (ask === undefined || missing.length > 0) return undefined
  // The pages of the cases are made for this: clicks have no effects on anybody.
  const asked = { method: 'POST', path: '/v2/support/ask', body: { ...ask, allowActions: true } }
  const { status, body, ms } = await patientCall(caller, asked)
  const answer = body?.requestId === undefined ? (body?.data ?? body ?? {}) : body
  const right: readonly unknown[] = [one.cause, ...(one.alsoRight ?? [])]
  const isMended = one.fix === undefined ? undefined : await mends(one.fix, answer.fixParameters)
  return { one, ask, status, answer, isRight: right.includes(answer.cause), isMended, ms }

  async function mends(fix: NonNullable<SupportCase['fix']>, parameters: unknown): Promise<boolean> {
    if (typeof parameters !== 'object' || parameters === null) return false
    // An object; what it holds is for the service to judge.
    return fix.holds(kit, parameters as Record<string, unknown>).catch(() => false)
  }
}

function figuresOf(judged: readonly Judged[]): Figure[] {
  const count = (fits: (one: Judged) => boolean) => judged.filter(fits).length
  const answered = judged.filter(({ status }) => status === 200)
  const fixable = count(({ isMended }) => isMended !== undefined)
  const needless = count(({ isMended, answer }) => isMended === undefined && hasParameters(answer))
  const sure = judged.filter(({ answer }) => answer.confidence === 'high')
  const brief = answered.filter(({ answer }) => {
    const { length } = sentencesOf(String(answer.answer ?? ''))
    return length >= 2 && length <= 4
  })
  const times = answered.map(({ ms }) => ms / 1000)
  return [
    counted('answered', answered.length, judged.length),
    counted(
      'cause right',
      count(({ isRight }) => isRight),
      judged.length,
    ),
    counted(
      'fix holds',
      count(({ isMended }) => isMended === true),
      fixable,
    ),
    counted('parameters where none can mend', needless, judged.length - fixable),
    counted(
      'cause right where confidence is high',
      sure.filter(({ isRight }) => isRight).length,
      sure.length,
    ),
    counted('answers of 2 to 4 sentences', brief.length, answered.length),
    ...(times.length === 0
      ? []
      : [plain('time, median', median(times), 's'), plain('time, longest', Math.max(...times), 's')]),
  ]
}

const hasParameters = ({ fixParameters }: Json) =>
  typeof fixParameters === 'object' && fixParameters !== null && Object.keys(fixParameters).length > 0
