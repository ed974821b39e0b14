import { describe, expect, it } from 'vitest'
import { decryptState, encryptState, type StateKey } from './encrypt-state.ts'

const owner = { teamId: 'team', name: 'shop' }
const storeKey: StateKey = { source: 'store', secret: 'a'.repeat(43) }
const settingKey: StateKey = { source: 'setting', secret: 'b'.repeat(43) }
const state = { cookies: [{ name: 'session', value: 'very secret' }], origins: [] }

describe('encryptState', () => {
  it('is decrypted for its owner', async () => {
    expect(await decryptState(await encryptState(state, owner, storeKey), owner, [storeKey])).toEqual(state)
  })

  it('contains no plain text, and differs on each call', async () => {
    const incompressible = { value: Buffer.from(crypto.getRandomValues(new Uint8Array(300))).toString('hex') }
    const first = Buffer.from(await encryptState(incompressible, owner, storeKey))
    expect(first.includes(Buffer.from(incompressible.value.slice(0, 8)))).toBe(false)
    expect(first.equals(await encryptState(incompressible, owner, storeKey))).toBe(false)
  })

  it.each([
    ['another team', { teamId: 'other', name: 'shop' }],
    ['another name', { teamId: 'team', name: 'shop2' }],
    ['a team id that contains the separator and the name', { teamId: 'team","shop', name: '' }],
  ])('is not decrypted for %s', async (_, otherOwner) => {
    expect(
      await decryptState(await encryptState(state, owner, storeKey), otherOwner, [storeKey]),
    ).toBeUndefined()
  })

  it('is not decrypted if one byte was changed', async () => {
    const encrypted = await encryptState(state, owner, storeKey)
    for (let index = 0; index < encrypted.length; index += 1) {
      const changed = Uint8Array.from(encrypted)
      changed[index] = (changed[index] ?? 0) ^ 1
      expect(await decryptState(changed, owner, [storeKey, settingKey])).toBeUndefined()
    }
  })

  it('is not decrypted if it was truncated', async () => {
    const encrypted = await encryptState(state, owner, storeKey)
    for (const length of [0, 1, 13, 28, 29, encrypted.length - 1])
      expect(await decryptState(encrypted.subarray(0, length), owner, [storeKey])).toBeUndefined()
  })

  it('is decrypted with its own key if several keys exist, and only with its own key', async () => {
    const before = await encryptState(state, owner, storeKey)
    expect(await decryptState(before, owner, [settingKey, storeKey])).toEqual(state)
    const after = await encryptState(state, owner, settingKey)
    expect(await decryptState(after, owner, [storeKey])).toBeUndefined()
    expect(
      await decryptState(after, owner, [{ ...settingKey, secret: 'c'.repeat(43) }, storeKey]),
    ).toBeUndefined()
  })

  it('accepts 64 MB and throws PROFILE_TOO_LARGE above', async () => {
    const text = 'x'.repeat(64 * 1024 * 1024 - 2)
    expect(await decryptState(await encryptState(text, owner, storeKey), owner, [storeKey])).toBe(text)
    await expect(encryptState(`${text}x`, owner, storeKey)).rejects.toMatchObject({
      code: 'PROFILE_TOO_LARGE',
    })
  })

  it.each([
    [
      storeKey,
      'ARpdIuDDlMeunu9gwUuslK/ZNyGxQzqoZy/rBqp9PvgvmqzBjM4PlWHi0Jflp6SLSwqh4C0ZFCFHujxfm9zELadpfyI0s/HcPdAVU9QXhiuWDrHcV4lWAAqByFqs8hIrAxiJ',
    ],
    [
      settingKey,
      'AjcYFpjgvqyTSsoLU4hpb+vdJ1Wfg4upG9Kc5y8uwLeOHYQaD46c3FmS8L5Abo22bMncQQQjUwQhigovjhsHn8Us2P0Q6PDhj4VNdyAo+F1PAjOXKaT4PD6MyY1GvCIhyGxz',
    ],
  ])('stays compatible with states encrypted earlier: key of the $source', async (key, encrypted) => {
    expect(await decryptState(Buffer.from(encrypted, 'base64'), owner, [key])).toEqual(state)
  })
})
