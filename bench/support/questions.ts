import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { type Figure, figure, median } from '../figure.ts'
import { callWithRetry, type Json } from './call.ts'
import type { Half } from './case.ts'
import { counted } from './counted.ts'
import type { SupportOptions } from './options.ts'
import { isSection } from './sections.ts'
import { createServices } from './services.ts'

const questionList = z.array(
  z.object({ question: z.string().min(1).max(8000), right: z.array(z.string()).min(1) }),
)

/** Returns questions about the use of the service, each with the sections and reference pages that answer it. */
export function questionsOf(half: Half): z.output<typeof questionList> {
  return questionList.parse(
    JSON.parse(readFileSync(new URL(`./questions/${half}.json`, import.meta.url), 'utf8')) as unknown,
  )
}

interface QuestionResult {
  question: string
  right: string[]
  /** Returned paths, in order. */
  returnedPaths: string[]
  /** Index of the first right path; -1 if there is none. */
  rightIndex: number
  status: number
  ms: number
}

/** Measures how often a right section is first, or among the first three. */
export async function measureQuestions(options: SupportOptions): Promise<Figure[]> {
  const services = createServices()
  const results: QuestionResult[] = []
  try {
    const caller = await services.team('usual')
    for (const { question, right } of options.halves.flatMap(questionsOf)) {
      const call = { method: 'POST', path: '/v2/support/docs-search', body: { question } }
      const { status, body, ms } = await callWithRetry(caller, call)
      const evidence: Json[] = body?.evidence ?? body?.data?.evidence ?? []
      const returnedPaths = evidence.map(({ pathOrUrl }) => String(pathOrUrl))
      const rightIndex = returnedPaths.findIndex((path) =>
        right.some((expected) => isSection(path, expected)),
      )
      results.push({ question, right, returnedPaths, rightIndex, status, ms })
    }
  } finally {
    await services.stop()
  }
  if (options.showsWrong) {
    for (const { question, right, returnedPaths, rightIndex } of results.filter(
      (result) => result.rightIndex !== 0,
    )) {
      console.log(
        `\n${question}\n  right: ${right.join(', ')}\n  named: ${returnedPaths.slice(0, 3).join(', ')}`,
      )
      if (rightIndex > 0) console.log(`  right at place ${rightIndex + 1}`)
    }
  }
  const firstCount = results.filter(({ rightIndex }) => rightIndex === 0).length
  const amongThreeCount = results.filter(({ rightIndex }) => rightIndex >= 0 && rightIndex < 3).length
  return [
    counted('questions answered', results.filter(({ status }) => status === 200).length, results.length),
    counted('right section first', firstCount, results.length),
    counted('right section among three', amongThreeCount, results.length),
    figure('time of a question, median', median(results.map(({ ms }) => ms / 1000)), 's'),
  ]
}
