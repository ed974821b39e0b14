import { describe, expect, it } from 'vitest'
import { findTaskSites } from './allowed-sites.ts'

const start = 'https://shop.example.com/cart'
const refusal = (address: string, prompt = 'Find the price.') => findTaskSites(start, prompt).refusal(address)

describe('the sites of a task', () => {
  it.each(['https://shop.example.com/pricing', 'http://www.example.com/', 'https://example.com/a?next=/b'])(
    'holds %s',
    (address) => {
      expect(refusal(address)).toBeUndefined()
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
  ])('does not hold %s', (address) => {
    expect(refusal(address)).toBeTypeOf('string')
  })

  it.each([
    ['an address', 'Compare with https://other.example.org/prices, please.'],
    ['a bare name', 'Compare with other.example.org/prices.'],
  ])('holds what the prompt names by %s', (_, prompt) => {
    expect(refusal('https://other.example.org/prices', prompt)).toBeUndefined()
  })

  it('takes an address that leads on where the prompt names it whole', () => {
    const address = 'https://shop.example.com/away?to=https://evil.test/'
    expect(refusal(address, `Open ${address}`)).toBeUndefined()
  })

  it.each(['Write to me@other.example.org', 'Use Node.js, e.g. version 24', 'Go to page 2.5'])(
    'finds no address in "%s"',
    (prompt) => {
      expect(refusal('https://other.example.org/', prompt)).toBeTypeOf('string')
      expect(refusal('https://node.js/', prompt)).toBeTypeOf('string')
    },
  )

  it('tells sites of one host apart by their port where nobody registered it', () => {
    const allowedSites = findTaskSites('http://127.0.0.1:4000/', 'Look.')
    expect(allowedSites.refusal('http://127.0.0.1:4000/other')).toBeUndefined()
    expect(allowedSites.refusal('http://127.0.0.1:4001/')).toBeTypeOf('string')
  })

  it('tells sites of one hosting service apart', () => {
    const allowedSites = findTaskSites('https://one.github.io/', 'Look.')
    expect(allowedSites.holds('https://two.github.io/')).toBe(false)
  })
})
