import { describe, expect, it } from 'vitest'
import { actions } from '../../fetch/actions/index.ts'
import { scrapeRequest } from '../scrape/schema.ts'
import { planTrial, refusalOfExploration, type TrialRequest, trialRules } from './trial-options.ts'

const order = (changes: Partial<TrialRequest>): TrialRequest => ({
  ...{ url: 'https://tide.example/', stored: {}, fix: {}, source: 'rule', allowsActions: false },
  ...changes,
})

describe('planTrial', () => {
  it('has a decision for every option of a scrape', () => {
    expect(Object.keys(trialRules).sort()).toEqual(Object.keys(scrapeRequest.shape).sort())
  })

  it('refuses an option that nobody has decided about, and every option that the trial sets itself', () => {
    const closed = Object.entries(trialRules).filter(([, rule]) => rule === 'own' || rule === 'stored')
    for (const name of ['newOption', '__proto__', 'task', 'webhook', ...closed.map(([name]) => name)]) {
      const fix = JSON.parse(`{${JSON.stringify(name)}: {"x-key": "1"}}`)
      for (const source of ['rule', 'model'] as const)
        expect(planTrial(order({ fix, source })), name).toEqual({ refused: expect.stringContaining(name) })
    }
  })

  it('accepts an invalid certificate if a rule says so, not if a model does', () => {
    const fix = { skipTlsVerification: true }
    expect(planTrial(order({ fix }))).toMatchObject({ request: fix })
    expect(planTrial(order({ fix, source: 'model' }))).toHaveProperty('refused')
  })

  it('keeps the URL of the job, caches nothing and asks for Markdown and values alone', () => {
    const json = { type: 'json', schema: { type: 'object' } }
    const stored = {
      ...{ url: 'https://other.example/', storeInCache: true, zeroDataRetention: true, waitFor: 5 },
      formats: [{ type: 'changeTracking', modes: [] }, json, { type: 'screenshot' }, { type: 'audio' }],
      ...{ webhook: { url: 'https://other.example/' }, crawl: { depth: 1 } },
    }
    expect(planTrial(order({ stored }))).toMatchObject({
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
    expect(planTrial(order({ stored }))).not.toHaveProperty('request.webhook')
  })

  it('fetches the page again although the job accepted a cached one, unless the fix sets its age', () => {
    const stored = { maxAge: 172_800_000 }
    expect(planTrial(order({ stored }))).toMatchObject({ request: { maxAge: 0 } })
    expect(planTrial(order({ stored, fix: { maxAge: 5 } }))).toMatchObject({ request: { maxAge: 5 } })
  })

  it('loads the profile of the job without saving it, and no other profile', () => {
    const stored = { profile: { name: 'mine', saveChanges: true } }
    const loaded = { request: { profile: { name: 'mine', saveChanges: false } } }
    expect(planTrial(order({ stored }))).toMatchObject(loaded)
    const same = { profile: { name: 'mine', saveChanges: true } }
    expect(planTrial(order({ stored, fix: same }))).toMatchObject(loaded)
    expect(planTrial(order({ stored, fix: { profile: { name: 'other' } } }))).toHaveProperty('refused')
    expect(planTrial(order({ fix: { profile: { name: 'other' } } }))).toHaveProperty('refused')
  })

  it.each(actions.map(({ type }) => type))(
    'repeats the action %s only if it is harmless or allowed',
    (type) => {
      const stored = { actions: [{ type }] }
      const planned = planTrial(order({ stored }))
      const isCapture = ['screenshot', 'scrape', 'pdf'].includes(type)
      if (['wait', 'scroll'].includes(type)) expect(planned).toMatchObject({ request: stored, actions: [] })
      else if (isCapture) expect(planned).not.toHaveProperty('request.actions')
      else {
        expect(planned).toEqual({ refused: expect.stringContaining('allowActions') })
        expect(planTrial(order({ stored, allowsActions: true }))).toMatchObject({ actions: [type] })
      }
    },
  )

  it('lets a model neither type nor run scripts, whatever the caller allows', () => {
    for (const type of ['write', 'executeJavascript', 'newAction', 'pdf'])
      expect(
        planTrial(order({ fix: { actions: [{ type }] }, source: 'model', allowsActions: true })),
      ).toHaveProperty('refused')
    const click = { actions: [{ type: 'click', selector: '#open' }] }
    expect(planTrial(order({ fix: click, source: 'model' }))).toHaveProperty('refused')
    expect(planTrial(order({ fix: click, source: 'model', allowsActions: true }))).toMatchObject({
      request: click,
    })
  })

  it('does not repeat the task of an agent, and names headers that are not on record', () => {
    expect(planTrial(order({ stored: { task: 'buy it' } }))).toHaveProperty('refused')
    const notes = [expect.stringContaining('authorization')]
    expect(planTrial(order({ stored: { headerNames: ['authorization'] } }))).toMatchObject({ notes })
  })
})

describe('refusalOfExploration', () => {
  it('accepts options of the exploration alone', () => {
    expect(refusalOfExploration({ sitemap: 'skip', limit: 10 })).toBeUndefined()
    for (const name of ['url', 'webhook', 'headers', 'prompt', 'scrapeOptions'])
      expect(refusalOfExploration({ [name]: 'x' })).toContain(name)
  })
})
