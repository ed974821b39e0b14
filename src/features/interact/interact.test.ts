import { describe, expect, it } from 'vitest'
import { replayContext } from './interact.ts'

/** As the version before left it on record. */
const before =
  '{"url":"site.example/a","formats":[{"type":"markdown"}],"onlyMainContent":true,"onlyCleanContent":false,"includeTags":[],"excludeTags":[],"waitFor":500,"mobile":true,"skipTlsVerification":true,"timeout":60000,"actions":[{"type":"click","selector":"#a","all":false}],"location":{"country":"DE"},"removeBase64Images":true,"blockAds":true,"proxy":"auto","lockdown":false,"fastMode":false,"zeroDataRetention":false,"headerNames":["cookie"]}'

describe('what a scrape left on record', () => {
  it('says how its page is opened again', () => {
    expect(replayContext({ input: before, retain: 1 })).toMatchObject({
      ...{ url: 'site.example/a', waitFor: 500, mobile: true, blockAds: true, headerNames: ['cookie'] },
      ...{ actions: [{ type: 'click', selector: '#a', all: false }], location: { country: 'DE' } },
    })
  })

  it('has a default for what was added since', () => {
    const context = replayContext({ input: '{"url":"site.example"}', retain: 1 })
    expect(context).toMatchObject({ waitFor: 0, actions: [], headerNames: [], skipTlsVerification: true })
  })

  it.each([
    ['nothing was kept', '{}', 1],
    ['nothing may be kept', before, 0],
  ])('cannot be used where %s', (_, input, retain) => {
    expect(() => replayContext({ input, retain })).toThrow('nothing was kept of this scrape')
  })

  it('names its column where it is damaged', () => {
    expect(() => replayContext({ input: '{"url":["a"]}', retain: 1 })).toThrow('jobs.input')
  })
})
