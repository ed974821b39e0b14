import { beforeEach, describe, expect, it } from 'vitest'
import { emptyState, type StorageState } from '../../browser/profile/profile-state.ts'
import type { Profiles } from '../../browser/profile/profiles.ts'
import type { Outcome } from '../../jobs/job.ts'
import { startDeadline } from '../../platform/deadline.ts'
import { AppError } from '../../platform/errors.ts'
import type { Document } from './schema.ts'
import { withProfile } from './scrape.ts'

const changed: StorageState = { ...emptyState, origins: [{ origin: 'https://a.example', localStorage: [] }] }
const metadata: Document['metadata'] = {
  sourceURL: 'https://a.example',
  url: 'https://a.example',
  statusCode: 200,
  scrapeId: 'id',
  engine: 'chromium',
  proxyUsed: 'basic',
  creditsUsed: 1,
  concurrencyLimited: false,
}
const success: Outcome<Document> = { credits: 1, result: { metadata } }

describe('withProfile', () => {
  let steps: string[]
  let saving: () => void
  beforeEach(() => {
    steps = []
    saving = () => undefined
  })

  const profiles: Profiles = {
    async load() {
      steps.push('load')
      return emptyState
    },
    async lease() {
      steps.push('lease')
      return {
        async save(state) {
          expect(state).toBe(changed)
          saving()
          steps.push('save')
        },
        release: async () => void steps.push('give back'),
      }
    },
    list: () => Promise.resolve([]),
    delete: async () => undefined,
  }

  const run = async (outcome: () => Outcome<Document>, saveChanges = true) => {
    const use = {
      job: { id: 'id', teamId: 'team' },
      deadline: startDeadline(10_000, 'SCRAPE_TIMEOUT'),
      name: 'shop',
      saveChanges,
    }
    const scraped = await withProfile(profiles, use, async (profile) => {
      expect(profile).toEqual({ state: emptyState, isSaved: saveChanges })
      steps.push('work')
      return { outcome: outcome(), state: changed }
    })
    return scraped.outcome
  }

  it('takes the lease before it loads, and saves after success', async () => {
    expect(await run(() => success)).toBe(success)
    expect(steps).toEqual(['lease', 'load', 'work', 'save', 'give back'])
  })

  it('only loads with saveChanges false', async () => {
    await run(() => success, false)
    expect(steps).toEqual(['load', 'work'])
  })

  it.each([
    ['answers with an error', () => ({ credits: 0, error: new AppError('SCRAPE_TIMEOUT') })],
    [
      'throws',
      () => {
        throw new AppError('SCRAPE_TIMEOUT')
      },
    ],
  ])('saves nothing when it %s', async (_, outcome) => {
    await run(outcome).catch(() => undefined)
    expect(steps).toEqual(['lease', 'load', 'work', 'give back'])
  })

  it('returns the page with a warning if the state is too large', async () => {
    saving = () => {
      throw new AppError('PROFILE_TOO_LARGE')
    }
    const outcomeWithWarning = { credits: 1, result: { metadata, warning: 'Before.' } }
    expect(await run(() => outcomeWithWarning)).toMatchObject({
      credits: 1,
      result: { warning: expect.stringMatching(/^Before\. .*64 MB/) },
    })
    expect(steps).not.toContain('save')
  })

  it('fails if the state cannot be saved for another reason, and releases the lease', async () => {
    saving = () => {
      throw new AppError('PROFILE_IN_USE')
    }
    await expect(run(() => success)).rejects.toMatchObject({ code: 'PROFILE_IN_USE' })
    expect(steps.at(-1)).toBe('give back')
  })
})
