import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { AppError } from '../../platform/errors.ts'
import type { ProfileKey } from '../../store/profiles.ts'
import { pack, unpack } from '../../store/stored-json.ts'

/** Where the key of a sealed state comes from: written into it, so that a key can be set later. */
type KeySource = 'store' | 'setting'

export interface StateKey {
  source: KeySource
  secret: string
}

/** The most text that a state may be. */
export const largestState = 64 * 1024 * 1024

const marks: Record<KeySource, number> = { store: 1, setting: 2 }
const nonceLength = 12
const tagLength = 16
const headLength = 1 + nonceLength + tagLength

/**
 * Mark of the key, nonce, tag, then the compressed JSON under AES-256-GCM. The owner is authenticated with the data: a state of
 * another team or name does not decrypt.
 */
export async function encryptState(state: unknown, owner: ProfileKey, key: StateKey): Promise<Uint8Array> {
  const text = Buffer.from(JSON.stringify(state))
  if (text.length > largestState) throw new AppError('PROFILE_TOO_LARGE', { bytes: text.length })
  const packed = await pack(text)
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv('aes-256-gcm', keyOf(key), nonce).setAAD(bindingOf(owner, key.source))
  const sealed = [cipher.update(packed), cipher.final()]
  return Buffer.concat([Buffer.of(marks[key.source]), nonce, cipher.getAuthTag(), ...sealed])
}

/** The decrypted state; undefined if no key decrypts it for this owner. */
export async function decryptState(
  bytes: Uint8Array,
  owner: ProfileKey,
  keys: StateKey[],
): Promise<unknown | undefined> {
  const key = keys.find(({ source }) => marks[source] === bytes[0])
  if (!key || bytes.length < headLength) return undefined
  const nonce = bytes.subarray(1, 1 + nonceLength)
  const decipher = createDecipheriv('aes-256-gcm', keyOf(key), nonce, { authTagLength: tagLength })
    .setAAD(bindingOf(owner, key.source))
    .setAuthTag(bytes.subarray(1 + nonceLength, headLength))
  try {
    const packed = Buffer.concat([decipher.update(bytes.subarray(headLength)), decipher.final()])
    const text = await unpack(packed, largestState)
    return JSON.parse(Buffer.from(text).toString())
  } catch {
    return undefined
  }
}

function keyOf({ secret }: StateKey): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', 'winnow profiles', 32))
}

function bindingOf({ teamId, name }: ProfileKey, source: KeySource): Uint8Array {
  return Buffer.from(JSON.stringify(['profile', marks[source], teamId, name]))
}
