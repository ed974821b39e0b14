import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { type Figure, median, plain } from '../figure.ts'
import { type Json, patientCall } from './call.ts'
import type { Half } from './case.ts'
import { counted } from './counted.ts'
import type { SupportOptions } from './options.ts'
import { isSection } from './sections.ts'
import { createServices } from './services.ts'

const list = z.array(z.object({ question: z.string().min(1).max(8000), right: z.array(z.string()).min(1) }))

/** Questions about the use of the service, each with the sections and reference pages that answer it. */
export function questionsOf(half: Half): z.output<typeof list> {
  return list.parse(
    JSON.parse(readFileSync(new URL(`./questions/${half}.json`, import.meta.url), 'utf8')) as unknown,
  )
}

interface Asked {
  question: string
  right: string[]
  /** Paths in the order in which they were named. */
  named: string[]
  /** Of the first right one; -1 where none is. */
  place: number
  status: number
  ms: number
}

/** How often a right section is the first that is named, or one of the first three. */
export async function measureQuestions(options: SupportOptions): Promise<Figure[]> {
  const services = createServices()
  const asked: Asked[] = []
  try {
    const caller = await services.team('usual')
    for (const { question, right } of options.halves.flatMap(questionsOf)) {
      const call = { method: 'POST', path: '/v2/support/docs-search', body: { question } }
      const { status, body, ms } = await patientCall(caller, call)
      const evidence: Json[] = body?.evidence ?? body?.data?.evidence ?? []
      const named = evidence.map(({ pathOrUrl }) => String(pathOrUrl))
      const place = named.findIndex((path) => right.some((one) => isSection(path, one)))
      asked.push({ question, right, named, place, status, ms })
    }
  } finally {
    await services.stop()
  }
  if (options.showsWrong) {
    for (const { question, right, named, place } of asked.filter((one) => one.place !== 0)) {
      console.log(`\n${question}\n  right: ${right.join(', ')}\n  named: ${named.slice(0, 3).join(', ')}`)
      if (place > 0) console.log(`  right at place ${place + 1}`)
    }
  }
  const first = asked.filter(({ place }) => place === 0).length
  const amongThree = asked.filter(({ place }) => place >= 0 && place < 3).length
  return [
    counted('questions answered', asked.filter(({ status }) => status === 200).length, asked.length),
    counted('right section first', first, asked.length),
    counted('right section among three', amongThree, asked.length),
    plain('time of a question, median', median(asked.map(({ ms }) => ms / 1000)), 's'),
  ]
}
