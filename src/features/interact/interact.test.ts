import { describe, expect, it } from 'vitest'
import { replayContext } from './interact.ts'

/** Input as stored by the previous release. */
const storedByPrevious =
  '{"url":"site.example/a","formats":[{"type":"markdown"}],"onlyMainContent":true,"onlyCleanContent":false,"includeTags":[],"excludeTags":[],"waitFor":500,"mobile":true,"skipTlsVerification":true,"timeout":60000,"actions":[{"type":"click","selector":"#a","all":false}],"location":{"country":"DE"},"removeBase64Images":true,"blockAds":true,"proxy":"auto","lockdown":false,"fastMode":false,"zeroDataRetention":false,"headerNames":["cookie"]}'

describe('replayContext', () => {
  it('returns the options for opening the page again', () => {
    expect(replayContext({ input: storedByPrevious, retain: 1 })).toMatchObject({
      ...{ url: 'site.example/a', waitFor: 500, mobile: true, blockAds: true, headerNames: ['cookie'] },
      ...{ actions: [{ type: 'click', selector: '#a', all: false }], location: { country: 'DE' } },
    })
  })

  it('applies defaults to options that were added later', () => {
    const context = replayContext({ input: '{"url":"site.example"}', retain: 1 })
    expect(context).toMatchObject({ waitFor: 0, actions: [], headerNames: [], skipTlsVerification: true })
  })

  it.each([
    ['nothing was kept', '{}', 1],
    ['nothing may be kept', storedByPrevious, 0],
  ])('throws if %s', (_, input, retain) => {
    expect(() => replayContext({ input, retain })).toThrow('nothing was kept of this scrape')
  })

  it('throws an error with the column name if the input is damaged', () => {
    expect(() => replayContext({ input: '{"url":["a"]}', retain: 1 })).toThrow('jobs.input')
  })
})
