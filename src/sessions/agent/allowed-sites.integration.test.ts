import { describe, expect, it } from 'vitest'
import { findTaskSites } from './allowed-sites.ts'

const start = 'https://shop.example.com/cart'
const refusal = (url: string, prompt = 'Find the price.') => findTaskSites(start, prompt).refusal(url)

describe('findTaskSites', () => {
  it.each(['https://shop.example.com/pricing', 'http://www.example.com/', 'https://example.com/a?next=/b'])(
    'allows %s',
    (url) => {
      expect(refusal(url)).toBeUndefined()
    },
  )

  it.each([
    'https://example.org/',
    'https://example.com.evil.test/',
    'http://127.0.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://[::1]:3002/',
    'javascript:alert(document.cookie)',
    'data:text/html,x',
    'file:///etc/passwd',
    'view-source:https://shop.example.com/',
    'chrome://settings',
    'https://user:word@shop.example.com/',
    'https://shop.example.com/away?to=https://evil.test/?password=x',
    'https://shop.example.com/away?to=%2F%2Fevil.test',
    'https://shop.example.com/away?to=https%253A%252F%252Fevil.test',
    'https://shop.example.com/away/https:\\\\evil.test',
  ])('rejects %s', (url) => {
    expect(refusal(url)).toBeTypeOf('string')
  })

  it.each([
    ['an address', 'Compare with https://other.example.org/prices, please.'],
    ['a bare name', 'Compare with other.example.org/prices.'],
  ])('allows a site that the prompt names by %s', (_, prompt) => {
    expect(refusal('https://other.example.org/prices', prompt)).toBeUndefined()
  })

  it('allows a URL with an embedded URL if the prompt contains it completely', () => {
    const url = 'https://shop.example.com/away?to=https://evil.test/'
    expect(refusal(url, `Open ${url}`)).toBeUndefined()
  })

  it.each(['Write to me@other.example.org', 'Use Node.js, e.g. version 24', 'Go to page 2.5'])(
    'finds no URL in "%s"',
    (prompt) => {
      expect(refusal('https://other.example.org/', prompt)).toBeTypeOf('string')
      expect(refusal('https://node.js/', prompt)).toBeTypeOf('string')
    },
  )

  it('distinguishes IP addresses and local hosts by their port', () => {
    const allowedSites = findTaskSites('http://127.0.0.1:4000/', 'Look.')
    expect(allowedSites.refusal('http://127.0.0.1:4000/other')).toBeUndefined()
    expect(allowedSites.refusal('http://127.0.0.1:4001/')).toBeTypeOf('string')
  })

  it('distinguishes subdomains of a hosting service', () => {
    const allowedSites = findTaskSites('https://one.github.io/', 'Look.')
    expect(allowedSites.includes('https://two.github.io/')).toBe(false)
  })
})
