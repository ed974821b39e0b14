import { describe, expect, it } from 'vitest'
import type { Team } from '../../accounts/team.ts'
import { type ScrapeRequest, scrapeRequest } from '../../features/scrape/schema.ts'
import { systemClock } from '../../platform/clock.ts'
import type { Bound } from './needs.ts'
import { scrapeUseCases } from './pages.ts'

const caller = { signal: new AbortController().signal, idempotencyKey: 'key' }
// The rest of the team is not looked at.
const team = (zeroRetention: boolean) => ({ id: 'team', zeroRetention }) as Team
const request = (options: object): ScrapeRequest =>
  scrapeRequest.parse({ url: 'https://a.example/', ...options })

/** The use cases, where a job is handed back as it was ordered. */
function scene() {
  const bound = {
    ...{ clock: { ...systemClock, now: () => 1000 }, hasEnhancedProxy: false, kinds: { scrape: 'kind' } },
    runOnce: async (...given: unknown[]) => given,
  }
  // Nothing else is asked of the kinds.
  return scrapeUseCases(bound as unknown as Bound)
}

describe('scrape', () => {
  it('orders a job that must end with the time of the request', async () => {
    // What the job is run with, as the scene hands it back.
    const [kind, order, waiting] = (await scene().scrape(
      team(false),
      request({ timeout: 5000 }),
      caller,
    )) as unknown as object[]
    expect(kind).toBe('kind')
    expect(order).toMatchObject({ target: 'https://a.example/', retain: true, deadlineAt: 6000 })
    expect(waiting).toEqual({ timeoutMs: 5000, ...caller })
  })

  it('keeps nothing only for teams that may ask for it', () => {
    const silent = request({ zeroDataRetention: true })
    expect(() => scene().scrape(team(false), silent, caller)).toThrow(
      expect.objectContaining({ code: 'ZERO_RETENTION_NOT_ENABLED' }),
    )
    expect(() => scene().scrape(team(true), silent, caller)).not.toThrow()
  })
})
