import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { AppError } from '../../platform/errors.ts'
import type { ProfileKey } from '../../store/profiles.ts'
import { pack, unpack } from '../../store/stored-json.ts'

/** Part of the encrypted state, so that older states stay readable after PROFILE_KEY is set. */
type KeySource = 'store' | 'setting'

export interface StateKey {
  source: KeySource
  secret: string
}

export const maxStateBytes = 64 * 1024 * 1024

const keyMarkers: Record<KeySource, number> = { store: 1, setting: 2 }
const nonceLength = 12
const tagLength = 16
const headLength = 1 + nonceLength + tagLength

/** Marker of the key, nonce, tag, compressed JSON. The owner is authenticated, so another one cannot decrypt it. */
export async function encryptState(state: unknown, owner: ProfileKey, key: StateKey): Promise<Uint8Array> {
  const text = Buffer.from(JSON.stringify(state))
  if (text.length > maxStateBytes) throw new AppError('PROFILE_TOO_LARGE', { bytes: text.length })
  const compressed = await pack(text)
  const nonce = randomBytes(nonceLength)
  const additionalData = getAdditionalData(owner, key.source)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(key), nonce).setAAD(additionalData)
  const encrypted = [cipher.update(compressed), cipher.final()]
  return Buffer.concat([Buffer.of(keyMarkers[key.source]), nonce, cipher.getAuthTag(), ...encrypted])
}

export async function decryptState(bytes: Uint8Array, owner: ProfileKey, keys: StateKey[]): Promise<unknown> {
  const key = keys.find(({ source }) => keyMarkers[source] === bytes[0])
  if (!key || bytes.length < headLength) return undefined
  const nonce = bytes.subarray(1, 1 + nonceLength)
  const decipher = createDecipheriv('aes-256-gcm', deriveKey(key), nonce, { authTagLength: tagLength })
    .setAAD(getAdditionalData(owner, key.source))
    .setAuthTag(bytes.subarray(1 + nonceLength, headLength))
  try {
    const compressed = Buffer.concat([decipher.update(bytes.subarray(headLength)), decipher.final()])
    const text = await unpack(compressed, maxStateBytes)
    return JSON.parse(Buffer.from(text).toString())
  } catch {
    return undefined
  }
}

function deriveKey({ secret }: StateKey): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', 'winnow profiles', 32))
}

function getAdditionalData({ teamId, name }: ProfileKey, source: KeySource): Uint8Array {
  return Buffer.from(JSON.stringify(['profile', keyMarkers[source], teamId, name]))
}
