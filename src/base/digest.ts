import { createHash } from 'node:crypto'

/** Texts as one short key: the same for the same texts, whatever their length. */
export function digest(texts: Iterable<string>): string {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(text)
  return hash.digest('base64url').slice(0, 24)
}
