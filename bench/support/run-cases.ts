import type { SupportCase } from './case.ts'
import { type CaseKit, openKit } from './kit.ts'
import { createServices } from './services.ts'

/**
 * Runs the work for every case, each with its own team and site, with the given concurrency. Returns the results in
 * the order of the cases.
 */
export async function runCases<Result>(
  cases: readonly SupportCase[],
  concurrency: number,
  work: (supportCase: SupportCase, caseKit: CaseKit) => Promise<Result>,
): Promise<Result[]> {
  const services = createServices()
  const results: Result[] = []
  const waiting = [...cases.entries()]
  const loop = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, supportCase] = next
      const caseKit = await openKit(
        await services.team(supportCase.environment ?? 'usual'),
        supportCase.routes ?? {},
      )
      try {
        results[index] = await work(supportCase, caseKit)
      } finally {
        await endSessions(caseKit)
        await caseKit.close()
      }
    }
  }
  try {
    await Promise.all(Array.from({ length: concurrency }, loop))
  } finally {
    await services.stop()
  }
  return results
}

/** Closes the browser sessions of a case, because open browsers take memory that later cases need. */
async function endSessions({ kit }: CaseKit): Promise<void> {
  const { body } = await kit.call('GET', '/v2/browser?status=active')
  for (const { id } of body.sessions ?? []) await kit.call('DELETE', `/v2/browser/${id}`)
}
