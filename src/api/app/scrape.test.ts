import { describe, expect, it } from 'vitest'
import type { Team } from '../../accounts/team.ts'
import { type ScrapeRequest, scrapeRequest } from '../../features/scrape/schema.ts'
import { systemClock } from '../../platform/clock.ts'
import type { UseCaseDeps } from './needs.ts'
import { pageUseCases } from './pages.ts'

const caller = { signal: new AbortController().signal, idempotencyKey: 'key' }
// The code under test reads only these fields of the team.
const team = (zeroRetention: boolean) => ({ id: 'team', zeroRetention }) as Team
const request = (options: object): ScrapeRequest =>
  scrapeRequest.parse({ url: 'https://a.example/', ...options })

/** Returns the use cases with a fake `runOnce` that resolves to its arguments. */
function createUseCases() {
  const fakeDeps = {
    ...{ clock: { ...systemClock, now: () => 1000 }, hasEnhancedProxy: false, kinds: { scrape: 'kind' } },
    runOnce: async (...args: unknown[]) => args,
  }
  // The cast is safe: the use case uses only these dependencies.
  return pageUseCases(fakeDeps as unknown as UseCaseDeps)
}

describe('pageUseCases()', () => {
  it('submits a job whose deadline is the timeout of the request', async () => {
    // Arguments of the fake `runOnce`.
    const [kind, jobRequest, callOptions] = (await createUseCases().scrape(
      team(false),
      request({ timeout: 5000 }),
      caller,
    )) as unknown as object[]
    expect(kind).toBe('kind')
    expect(jobRequest).toMatchObject({ target: 'https://a.example/', retain: true, deadlineAt: 6000 })
    expect(callOptions).toEqual({ timeoutMs: 5000, ...caller })
  })

  it('rejects zeroDataRetention for teams without zero retention', () => {
    const privateRequest = request({ zeroDataRetention: true })
    expect(() => createUseCases().scrape(team(false), privateRequest, caller)).toThrow(
      expect.objectContaining({ code: 'ZERO_RETENTION_NOT_ENABLED' }),
    )
    expect(() => createUseCases().scrape(team(true), privateRequest, caller)).not.toThrow()
  })
})
