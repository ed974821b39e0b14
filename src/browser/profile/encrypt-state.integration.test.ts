import { describe, expect, it } from 'vitest'
import { decryptState, encryptState, type StateKey } from './encrypt-state.ts'

const owner = { teamId: 'team', name: 'shop' }
const own: StateKey = { source: 'store', secret: 'a'.repeat(43) }
const set: StateKey = { source: 'setting', secret: 'b'.repeat(43) }
const state = { cookies: [{ name: 'session', value: 'very secret' }], origins: [] }

describe('a sealed state', () => {
  it('opens for its owner', async () => {
    expect(await decryptState(await encryptState(state, owner, own), owner, [own])).toEqual(state)
  })

  it('shows nothing of what is in it, and is never the same twice', async () => {
    const incompressible = { value: Buffer.from(crypto.getRandomValues(new Uint8Array(300))).toString('hex') }
    const first = Buffer.from(await encryptState(incompressible, owner, own))
    expect(first.includes(Buffer.from(incompressible.value.slice(0, 8)))).toBe(false)
    expect(first.equals(await encryptState(incompressible, owner, own))).toBe(false)
  })

  it.each([
    ['another team', { teamId: 'other', name: 'shop' }],
    ['another name', { teamId: 'team', name: 'shop2' }],
    ['a name that runs into the team', { teamId: 'team","shop', name: '' }],
  ])('does not open for %s', async (_, stranger) => {
    expect(await decryptState(await encryptState(state, owner, own), stranger, [own])).toBeUndefined()
  })

  it('does not open when a byte of it was changed', async () => {
    const sealed = await encryptState(state, owner, own)
    for (let index = 0; index < sealed.length; index += 1) {
      const changed = Uint8Array.from(sealed)
      changed[index] = (changed[index] ?? 0) ^ 1
      expect(await decryptState(changed, owner, [own, set])).toBeUndefined()
    }
  })

  it('does not open when it was cut off', async () => {
    const sealed = await encryptState(state, owner, own)
    for (const length of [0, 1, 13, 28, 29, sealed.length - 1])
      expect(await decryptState(sealed.subarray(0, length), owner, [own])).toBeUndefined()
  })

  it('opens with the key it was sealed with after another was set, and not without it', async () => {
    const before = await encryptState(state, owner, own)
    expect(await decryptState(before, owner, [set, own])).toEqual(state)
    const after = await encryptState(state, owner, set)
    expect(await decryptState(after, owner, [own])).toBeUndefined()
    expect(await decryptState(after, owner, [{ ...set, secret: 'c'.repeat(43) }, own])).toBeUndefined()
  })

  it('may be as large as 64 MB and no larger', async () => {
    const text = 'x'.repeat(64 * 1024 * 1024 - 2)
    expect(await decryptState(await encryptState(text, owner, own), owner, [own])).toBe(text)
    await expect(encryptState(`${text}x`, owner, own)).rejects.toMatchObject({ code: 'PROFILE_TOO_LARGE' })
  })

  it.each([
    [
      own,
      'ARpdIuDDlMeunu9gwUuslK/ZNyGxQzqoZy/rBqp9PvgvmqzBjM4PlWHi0Jflp6SLSwqh4C0ZFCFHujxfm9zELadpfyI0s/HcPdAVU9QXhiuWDrHcV4lWAAqByFqs8hIrAxiJ',
    ],
    [
      set,
      'AjcYFpjgvqyTSsoLU4hpb+vdJ1Wfg4upG9Kc5y8uwLeOHYQaD46c3FmS8L5Abo22bMncQQQjUwQhigovjhsHn8Us2P0Q6PDhj4VNdyAo+F1PAjOXKaT4PD6MyY1GvCIhyGxz',
    ],
  ])('opens as it was sealed before: by a key of the $source', async (key, sealed) => {
    expect(await decryptState(Buffer.from(sealed, 'base64'), owner, [key])).toEqual(state)
  })
})
