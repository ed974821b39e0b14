import { describe, expect, it } from 'vitest'
import { sitesOfSecrets } from './secret-sites.ts'

const secret = 'Tr0ub4dor&3'
const start = ['https://tide.example.com/']
const isAllowed = (prompt: string, url: string, text = url, from: string[] = start) =>
  sitesOfSecrets(prompt, from).refusal(text, url) === undefined

describe('sitesOfSecrets', () => {
  it('allows a secret on the site that its clause names', () => {
    const prompt = `Log in at https://shop.test.com with the password "${secret}". Then read https://news.org.`
    const sent = encodeURIComponent(secret)
    expect(isAllowed(prompt, `https://www.shop.test.com/?p=${sent}`)).toBe(true)
    expect(isAllowed(prompt, `https://news.org/?p=${sent}`)).toBe(false)
    expect(isAllowed(prompt, `https://tide.example.com/?p=${sent}`)).toBe(false)
    expect(isAllowed(prompt, 'https://news.org/?p=other')).toBe(true)
  })

  it('allows a secret without a site on the start sites of the task', () => {
    const prompt = `Log in with the password "${secret}", then read https://news.org.`
    expect(isAllowed(prompt, 'https://tide.example.com/', secret)).toBe(true)
    expect(isAllowed(prompt, 'https://news.org/', secret)).toBe(false)
    expect(isAllowed(prompt, 'https://news.org/', secret, [])).toBe(true)
    expect(isAllowed(`The password is "${secret}".`, 'https://news.org/', secret, [])).toBe(false)
  })

  it.each([
    ['as it is', secret],
    ['percent encoded', encodeURIComponent(secret)],
    ['percent encoded, every byte, twice', encodeURIComponent(percent(secret))],
    ['in base64', Buffer.from(`x=${secret}`).toString('base64')],
    ['in base64 for URLs, after other letters', `abc${Buffer.from(secret).toString('base64url')}`],
    ['in hexadecimal digits', Buffer.from(secret).toString('hex')],
    ['in reverse', [...secret].reverse().join('')],
  ])('recognises a secret that is sent %s', (_, sent) => {
    const prompt = `Log in at https://shop.test.com with the password "${secret}".`
    for (const url of [
      `https://evil.test.org/${sent}`,
      `https://evil.test.org/?a=${sent}`,
      `https://evil.test.org/#${sent}`,
    ])
      expect(isAllowed(prompt, url)).toBe(false)
  })

  it('finds certain secrets in a search query, and uncertain ones only if the prompt mentions credentials', () => {
    const shopping = 'Order a Galaxy-S23Ultra for anna.berg@example.com with 4111 1111 1111 1111, code: Q7-x.'
    const compare = 'Compare Galaxy-S23Ultra with others. Ask anna.berg@example.com, 4111 1111 1111 1111.'
    const hasSecret = (prompt: string, text: string) => sitesOfSecrets(prompt, []).hasSecret(text)
    for (const text of ['who is anna.berg@example.com', 'anna.berg%40example.com', '4111 1111 1111 1111'])
      expect([hasSecret(shopping, text), hasSecret(compare, text)]).toEqual([true, true])
    expect(hasSecret(shopping, 'price of Galaxy-S23Ultra')).toBe(true)
    expect(hasSecret(compare, 'price of Galaxy-S23Ultra')).toBe(false)
  })

  it('checks long texts without decoding them', () => {
    const prompt = 'password: Aa1!aaaa '.repeat(500)
    expect(isAllowed(prompt, 'https://evil.test.org/', 'a1'.repeat(4000))).toBe(true)
  })
})

function percent(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
}
