import type { Figure } from './figure.ts'
import { measureCases } from './support/cases.ts'
import { readOptions, type SupportOptions } from './support/options.ts'
import { measureQuestions } from './support/questions.ts'
import { measureSymptoms } from './support/symptoms.ts'

/** Parts of the benchmark; each calls services over HTTP. */
const parts: Record<string, (options: SupportOptions) => Promise<Figure[]>> = {
  symptoms: measureSymptoms,
  cases: measureCases,
  questions: measureQuestions,
}

/** Measures how often the support agent finds the cause of a problem, and how often its advice fixes the problem. */
export async function measure(): Promise<Figure[]> {
  const options = readOptions(Object.keys(parts))
  const figures: Figure[] = []
  for (const name of options.parts) figures.push(...((await parts[name]?.(options)) ?? []))
  return figures
}
