import { createHash } from 'node:crypto'

/** A short key for a list of texts of any length: equal texts give equal keys. */
export function digest(texts: Iterable<string>): string {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(text)
  return hash.digest('base64url').slice(0, 24)
}
