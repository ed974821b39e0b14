import { describe, expect, it } from 'vitest'
import { browserIdentity } from '../../browser/identity.ts'
import { chromeVersion } from '../../platform/chromium/chrome.ts'
import { browserHeaders } from './browser-headers.ts'

const major = chromeVersion.split('.')[0]
const identity = browserIdentity({ isMobile: false, languages: ['en-US'], version: undefined })

describe('HTTP headers and browser identity', () => {
  it('sends the same version and brand format over plain HTTP as a browser of unknown version', () => {
    const { 'user-agent': agent, 'sec-ch-ua': brands } = browserHeaders()
    expect(agent).toBe(identity.userAgent)
    const brandHeader = identity.userAgentMetadata.brands.map(
      ({ brand, version }) => `"${brand}";v="${version}"`,
    )
    expect(brands).toBe(brandHeader.join(', '))
  })

  it('contains only the major version', () => {
    expect(browserHeaders()).toMatchObject({
      'user-agent': `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36`,
      'sec-ch-ua': `"Not:A-Brand";v="8", "Chromium";v="${major}", "Google Chrome";v="${major}"`,
    })
  })
})

describe('browser identity', () => {
  it('contains the major version in the user agent and the full version in fullVersionList', () => {
    const { userAgent, userAgentMetadata } = browserIdentity({
      ...{ isMobile: true, languages: [], version: '149.0.7827.55' },
    })
    expect(userAgent).toBe(
      'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Mobile Safari/537.36',
    )
    expect(userAgentMetadata.brands[2]).toEqual({ brand: 'Google Chrome', version: '149' })
    expect(userAgentMetadata.fullVersionList[1]).toEqual({ brand: 'Chromium', version: '149.0.7827.55' })
  })
})
