import { describe, expect, it } from 'vitest'
import { findSecrets } from './secrets.ts'

/** Regular expressions that the implementation replaces, because they take cubic and quadratic time. */
const mailPattern = /[^\s<>"'(),;:]+@[^\s<>"'(),;:]+\.[a-z]{2,}/gi
const mixedWordPattern =
  /(?<=^|[\s"'`:=])(?=\S*[a-z])(?=\S*[A-Z!#$%^&*+?~])(?=\S*\d)(?!https?:)[^\s"'`/]{8,}/g

describe('findSecrets', () => {
  it.each([
    ['Log in as ada with password swordfish2 and read the balance.', 'swordfish2'],
    ['The password is swordfish. Then go on.', 'swordfish'],
    ['password: "correct horse battery"', 'correct horse battery'],
    ['Enter the PIN: 4711 please', '4711'],
    ['Use the api key = abcd-efgh', 'abcd-efgh'],
    ['Sign up with ada@example.com, then stop', 'ada@example.com'],
    ['Pay with 4242 4242 4242 4242.', '4242 4242 4242 4242'],
    ['Log in: ada / X7!pq9Lm2', 'X7!pq9Lm2'],
  ])('finds the secret in "%s"', (prompt, secret) => {
    const secrets = findSecrets(prompt)
    expect(secrets.hasSecret(`the text ${secret} typed`)).toBe(true)
    expect(secrets.redact(`fill with "${secret}"`)).toBe('fill with "[hidden]"')
  })

  it.each([
    'Open the password reset page and read it.',
    'Search for trousers of size 42 and tell the price code of the first.',
    'Compare iphone15 and galaxy24 at https://Shop.example.com/Phones1',
  ])('finds no secret in "%s"', (prompt) => {
    expect(findSecrets(prompt).redact(prompt)).toBe(prompt)
  })

  it('finds the same secrets as the regular expressions', () => {
    let state = 11
    const random = (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return Math.floor((state / 2 ** 32) * below)
    }
    const parts = [
      'a',
      'b',
      'Z',
      '1',
      '@',
      '.',
      'com',
      ' ',
      '"',
      ':',
      '=',
      '/',
      '!',
      'https:',
      'x9Q!',
      'longword',
    ]
    for (let round = 0; round < 3000; round += 1) {
      const prompt = Array.from({ length: random(14) }, () => parts[random(parts.length)]).join('')
      const secrets = findSecrets(prompt)
      const expected = [...prompt.matchAll(mailPattern), ...prompt.matchAll(mixedWordPattern)].map(([text]) =>
        text.replace(/^["'`(]+|["'`).,;!?]+$/g, ''),
      )
      for (const text of expected.filter(({ length }) => length >= 4))
        expect([prompt, text, secrets.hasSecret(text)]).toEqual([prompt, text, true])
      if (expected.length === 0) expect([prompt, secrets.redact(prompt)]).toEqual([prompt, prompt])
    }
  })
})
