import { type Figure, figure, median } from '../figure.ts'
import { callWithRetry, type Json } from './call.ts'
import type { SupportCase } from './case.ts'
import { casesOf } from './cases/all.ts'
import { counted } from './counted.ts'
import type { CaseKit } from './kit.ts'
import type { SupportOptions } from './options.ts'
import { type CaseResult, printByCause, printWrong } from './report.ts'
import { runCases } from './run-cases.ts'
import { sentencesOf } from './sentences.ts'

/** Measures all cases: makes the failing request, asks the agent about it, and tries the returned parameters. */
export async function measureCases(options: SupportOptions): Promise<Figure[]> {
  const cases = casesOf(options)
  const results = (await runCases(cases, 2, runCase)).filter((result) => result !== undefined)
  if (!options.halves.includes('kept-back')) printByCause(results)
  if (options.showsWrong) printWrong(results)
  return [
    counted('cases without their symptom, left out', cases.length - results.length),
    ...createFigures(results),
  ]
}

/** Returns the result of a case; undefined if the request did not fail as intended, for example because of timing. */
async function runCase(
  supportCase: SupportCase,
  { kit, caller, unmetConditions }: CaseKit,
): Promise<CaseResult | undefined> {
  const askRequest = await supportCase.arrange(kit).catch(() => undefined)
  if (askRequest === undefined || unmetConditions.length > 0) return undefined
  // Actions are safe, because the pages are made for this benchmark.
  const request = { method: 'POST', path: '/v2/support/ask', body: { ...askRequest, allowActions: true } }
  const { status, body, ms } = await callWithRetry(caller, request)
  const response = body?.requestId === undefined ? (body?.data ?? body ?? {}) : body
  const rightCauses: readonly unknown[] = [supportCase.cause, ...(supportCase.acceptedCauses ?? [])]
  const isFixed =
    supportCase.fix === undefined ? undefined : await isFixedBy(supportCase.fix, response.fixParameters)
  return {
    supportCase,
    askRequest,
    status,
    answer: response,
    isRight: rightCauses.includes(response.cause),
    isFixed,
    ms,
  }

  async function isFixedBy(fix: NonNullable<SupportCase['fix']>, parameters: unknown): Promise<boolean> {
    if (typeof parameters !== 'object' || parameters === null) return false
    // The cast is safe: the parameters are an object, and the service validates its fields.
    return fix.succeeds(kit, parameters as Record<string, unknown>).catch(() => false)
  }
}

function createFigures(results: readonly CaseResult[]): Figure[] {
  const count = (matches: (result: CaseResult) => boolean) => results.filter(matches).length
  const answered = results.filter(({ status }) => status === 200)
  const fixable = count(({ isFixed }) => isFixed !== undefined)
  const needlessCount = count(({ isFixed, answer }) => isFixed === undefined && hasParameters(answer))
  const confident = results.filter(({ answer }) => answer.confidence === 'high')
  const briefAnswers = answered.filter(({ answer }) => {
    const { length } = sentencesOf(String(answer.answer ?? ''))
    return length >= 2 && length <= 4
  })
  const times = answered.map(({ ms }) => ms / 1000)
  return [
    counted('answered', answered.length, results.length),
    counted(
      'cause right',
      count(({ isRight }) => isRight),
      results.length,
    ),
    counted(
      'fix holds',
      count(({ isFixed }) => isFixed === true),
      fixable,
    ),
    counted('parameters where none can mend', needlessCount, results.length - fixable),
    counted(
      'cause right where confidence is high',
      confident.filter(({ isRight }) => isRight).length,
      confident.length,
    ),
    counted('answers of 2 to 4 sentences', briefAnswers.length, answered.length),
    ...(times.length === 0
      ? []
      : [figure('time, median', median(times), 's'), figure('time, longest', Math.max(...times), 's')]),
  ]
}

const hasParameters = ({ fixParameters }: Json) =>
  typeof fixParameters === 'object' && fixParameters !== null && Object.keys(fixParameters).length > 0
