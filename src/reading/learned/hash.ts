/** FNV-1a over the codes of a text, in 32 bits. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** One hash for two, in their order. */
export function joinHashes(one: number, other: number): number {
  let hash = Math.imul(one ^ (other + 0x9e3779b9 + (one << 6) + (one >>> 2)), 0x85ebca6b)
  hash ^= hash >>> 15
  return Math.imul(hash, 0xc2b2ae35) >>> 0
}
