import { atMost, type Figure } from '../figure.ts'
import type { SupportCase } from './case.ts'
import { casesOf } from './cases/all.ts'
import { counted } from './counted.ts'
import type { CaseKit } from './kit.ts'
import type { SupportOptions } from './options.ts'
import { runCases } from './run-cases.ts'

/** Checks that each case is valid: the call fails as intended, also when repeated, and succeeds with the known fix. */
export async function measureSymptoms(options: SupportOptions): Promise<Figure[]> {
  const cases = casesOf(options)
  const problems = await runCases(cases, 3, findProblems)
  for (const [index, supportCase] of cases.entries()) {
    for (const problem of problems[index] ?? [])
      console.log(`${supportCase.cause} / ${supportCase.name}: ${problem}`)
  }
  const invalidCount = problems.filter((found) => found.length > 0).length
  return [
    counted('cases', cases.length),
    counted('of them with a fix', cases.filter(({ fix }) => fix !== undefined).length),
    atMost('cases without their symptom', invalidCount, 0, ''),
  ]
}

async function findProblems(
  { arrange, fix }: SupportCase,
  { kit, unmetConditions }: CaseKit,
): Promise<string[]> {
  try {
    const { question } = await arrange(kit)
    const problems = unmetConditions.map((condition) => `does not show: ${condition}`)
    if (question.length === 0 || question.length > 8000)
      problems.push('its question is too short or too long')
    if (fix && (await fix.succeeds(kit, {}))) problems.push('holds without any fix')
    if (fix && !(await fix.succeeds(kit, fix.parameters))) problems.push('its remedy does not hold')
    return problems
  } catch (error) {
    return [`fails with ${String(error)}`]
  }
}
