import { describe, expect, it } from 'vitest'
import { secretsIn } from './secrets.ts'

describe('secrets of a prompt', () => {
  it.each([
    ['Log in as ada with password swordfish2 and read the balance.', 'swordfish2'],
    ['The password is swordfish. Then go on.', 'swordfish'],
    ['password: "correct horse battery"', 'correct horse battery'],
    ['Enter the PIN: 4711 please', '4711'],
    ['Use the api key = abcd-efgh', 'abcd-efgh'],
    ['Sign up with ada@example.com, then stop', 'ada@example.com'],
    ['Pay with 4242 4242 4242 4242.', '4242 4242 4242 4242'],
    ['Log in: ada / X7!pq9Lm2', 'X7!pq9Lm2'],
  ])('are found in "%s"', (prompt, secret) => {
    const secrets = secretsIn(prompt)
    expect(secrets.isIn(`the text ${secret} typed`)).toBe(true)
    expect(secrets.hide(`fill with "${secret}"`)).toBe('fill with "[hidden]"')
  })

  it.each([
    'Open the password reset page and read it.',
    'Search for trousers of size 42 and tell the price code of the first.',
    'Compare iphone15 and galaxy24 at https://Shop.example.com/Phones1',
  ])('are not found in "%s"', (prompt) => {
    expect(secretsIn(prompt).hide(prompt)).toBe(prompt)
  })
})
