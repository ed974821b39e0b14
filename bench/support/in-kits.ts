import type { SupportCase } from './case.ts'
import { type CaseKit, openKit } from './kit.ts'
import { createServices } from './services.ts'

/** Does the work for every case, each with a team and a site of its own, a few at a time. Answers stay in order. */
export async function inKits<Result>(
  cases: readonly SupportCase[],
  atOnce: number,
  work: (one: SupportCase, opened: CaseKit) => Promise<Result>,
): Promise<Result[]> {
  const services = createServices()
  const results: Result[] = []
  const waiting = [...cases.entries()]
  const loop = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [place, one] = next
      const opened = await openKit(await services.team(one.environment ?? 'usual'), one.routes ?? {})
      try {
        results[place] = await work(one, opened)
      } finally {
        await endSessions(opened)
        await opened.close()
      }
    }
  }
  try {
    await Promise.all(Array.from({ length: atOnce }, loop))
  } finally {
    await services.stop()
  }
  return results
}

/** Browsers that a case leaves open would take memory from the next ones. */
async function endSessions({ kit }: CaseKit): Promise<void> {
  const { body } = await kit.call('GET', '/v2/browser?status=active')
  for (const { id } of body.sessions ?? []) await kit.call('DELETE', `/v2/browser/${id}`)
}
