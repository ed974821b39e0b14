import { describe, expect, it } from 'vitest'
import { actions } from '../../fetch/actions/index.ts'
import { scrapeRequest } from '../scrape/schema.ts'
import { planTrial, refusalOfExploration, type TrialRequest, trialRules } from './trial-options.ts'

const trialRequest = (changes: Partial<TrialRequest>): TrialRequest => ({
  ...{ url: 'https://tide.example/', stored: {}, fix: {}, source: 'rule', allowsActions: false },
  ...changes,
})

describe('planTrial', () => {
  it('has a rule for every scrape option', () => {
    expect(Object.keys(trialRules).sort()).toEqual(Object.keys(scrapeRequest.shape).sort())
  })

  it('rejects options without a rule, and options that the trial sets itself', () => {
    const closed = Object.entries(trialRules).filter(([, rule]) => rule === 'own' || rule === 'stored')
    for (const name of ['newOption', '__proto__', 'task', 'webhook', ...closed.map(([name]) => name)]) {
      const fix = JSON.parse(`{${JSON.stringify(name)}: {"x-key": "1"}}`)
      for (const source of ['rule', 'model'] as const)
        expect(planTrial(trialRequest({ fix, source })), name).toEqual({
          refused: expect.stringContaining(name),
        })
    }
  })

  it('accepts skipTlsVerification from a rule, not from a model', () => {
    const fix = { skipTlsVerification: true }
    expect(planTrial(trialRequest({ fix }))).toMatchObject({ request: fix })
    expect(planTrial(trialRequest({ fix, source: 'model' }))).toHaveProperty('refused')
  })

  it('uses the URL of the job, does not cache and requests only Markdown and JSON', () => {
    const json = { type: 'json', schema: { type: 'object' } }
    const stored = {
      ...{ url: 'https://other.example/', storeInCache: true, zeroDataRetention: true, waitFor: 5 },
      formats: [{ type: 'changeTracking', modes: [] }, json, { type: 'screenshot' }, { type: 'audio' }],
      ...{ webhook: { url: 'https://other.example/' }, crawl: { depth: 1 } },
    }
    expect(planTrial(trialRequest({ stored }))).toMatchObject({
      request: {
        ...{
          url: 'https://tide.example/',
          storeInCache: false,
          zeroDataRetention: false,
          maxAge: 0,
          waitFor: 5,
        },
        formats: ['markdown', json],
      },
    })
    expect(planTrial(trialRequest({ stored }))).not.toHaveProperty('request.webhook')
  })

  it('fetches the page again with maxAge 0, unless the fix sets maxAge', () => {
    const stored = { maxAge: 172_800_000 }
    expect(planTrial(trialRequest({ stored }))).toMatchObject({ request: { maxAge: 0 } })
    expect(planTrial(trialRequest({ stored, fix: { maxAge: 5 } }))).toMatchObject({ request: { maxAge: 5 } })
  })

  it('loads the profile of the job without saving it, and no other profile', () => {
    const stored = { profile: { name: 'mine', saveChanges: true } }
    const loaded = { request: { profile: { name: 'mine', saveChanges: false } } }
    expect(planTrial(trialRequest({ stored }))).toMatchObject(loaded)
    const same = { profile: { name: 'mine', saveChanges: true } }
    expect(planTrial(trialRequest({ stored, fix: same }))).toMatchObject(loaded)
    expect(planTrial(trialRequest({ stored, fix: { profile: { name: 'other' } } }))).toHaveProperty('refused')
    expect(planTrial(trialRequest({ fix: { profile: { name: 'other' } } }))).toHaveProperty('refused')
  })

  it.each(actions.map(({ type }) => type))(
    'repeats the action %s only if it is harmless or allowed',
    (type) => {
      const stored = { actions: [{ type }] }
      const planned = planTrial(trialRequest({ stored }))
      const isCapture = ['screenshot', 'scrape', 'pdf'].includes(type)
      if (['wait', 'scroll'].includes(type)) expect(planned).toMatchObject({ request: stored, actions: [] })
      else if (isCapture) expect(planned).not.toHaveProperty('request.actions')
      else {
        expect(planned).toEqual({ refused: expect.stringContaining('allowActions') })
        expect(planTrial(trialRequest({ stored, allowsActions: true }))).toMatchObject({ actions: [type] })
      }
    },
  )

  it('allows a model neither typing nor scripts, even if the caller allows actions', () => {
    for (const type of ['write', 'executeJavascript', 'newAction', 'pdf'])
      expect(
        planTrial(trialRequest({ fix: { actions: [{ type }] }, source: 'model', allowsActions: true })),
      ).toHaveProperty('refused')
    const click = { actions: [{ type: 'click', selector: '#open' }] }
    expect(planTrial(trialRequest({ fix: click, source: 'model' }))).toHaveProperty('refused')
    expect(planTrial(trialRequest({ fix: click, source: 'model', allowsActions: true }))).toMatchObject({
      request: click,
    })
  })

  it('rejects the task of an agent, and names headers whose values are not stored', () => {
    expect(planTrial(trialRequest({ stored: { task: 'buy it' } }))).toHaveProperty('refused')
    const notes = [expect.stringContaining('authorization')]
    expect(planTrial(trialRequest({ stored: { headerNames: ['authorization'] } }))).toMatchObject({ notes })
  })
})

describe('refusalOfExploration', () => {
  it('accepts only options of the exploration', () => {
    expect(refusalOfExploration({ sitemap: 'skip', limit: 10 })).toBeUndefined()
    for (const name of ['url', 'webhook', 'headers', 'prompt', 'scrapeOptions'])
      expect(refusalOfExploration({ [name]: 'x' })).toContain(name)
  })
})
