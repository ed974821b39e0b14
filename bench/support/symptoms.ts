import { atMost, type Figure } from '../figure.ts'
import type { SupportCase } from './case.ts'
import { casesOf } from './cases/all.ts'
import { counted } from './counted.ts'
import { inKits } from './in-kits.ts'
import type { CaseKit } from './kit.ts'
import type { SupportOptions } from './options.ts'

/** Whether each case is one: the call breaks as meant, is not mended by itself, and is mended by the remedy. */
export async function measureSymptoms(options: SupportOptions): Promise<Figure[]> {
  const cases = casesOf(options)
  const problems = await inKits(cases, 3, problemsOf)
  for (const [place, one] of cases.entries()) {
    for (const problem of problems[place] ?? []) console.log(`${one.cause} / ${one.name}: ${problem}`)
  }
  const broken = problems.filter((found) => found.length > 0).length
  return [
    counted('cases', cases.length),
    counted('of them with a fix', cases.filter(({ fix }) => fix !== undefined).length),
    atMost('cases without their symptom', broken, 0, ''),
  ]
}

async function problemsOf({ arrange, fix }: SupportCase, { kit, missing }: CaseKit): Promise<string[]> {
  try {
    const { question } = await arrange(kit)
    const problems = missing.map((what) => `does not show: ${what}`)
    if (question.length === 0 || question.length > 8000)
      problems.push('its question is too short or too long')
    if (fix && (await fix.holds(kit, {}))) problems.push('holds without any fix')
    if (fix && !(await fix.holds(kit, fix.remedy))) problems.push('its remedy does not hold')
    return problems
  } catch (thrown) {
    return [`fails with ${String(thrown)}`]
  }
}
