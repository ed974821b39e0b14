import type { Figure } from './figure.ts'
import { measureCases } from './support/cases.ts'
import { readOptions, type SupportOptions } from './support/options.ts'
import { measureQuestions } from './support/questions.ts'
import { measureSymptoms } from './support/symptoms.ts'

/** Each part asks services over HTTP. */
const parts: Record<string, (options: SupportOptions) => Promise<Figure[]>> = {
  symptoms: measureSymptoms,
  cases: measureCases,
  questions: measureQuestions,
}

/** How often the support agent finds why a request broke, and how often what it advises mends it. */
export async function measure(): Promise<Figure[]> {
  const options = readOptions(Object.keys(parts))
  const figures: Figure[] = []
  for (const name of options.parts) figures.push(...((await parts[name]?.(options)) ?? []))
  return figures
}
