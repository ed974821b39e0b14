/** Words are known by a hash, so that neither a page nor the tables of the model need them as strings. */

export const tableSize = 1 << 14

export const emptyHash = 0x811c9dc5

/** FNV-1a; steps are inlined nowhere, the compiler does that. */
export function addCode(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193)
}

/** The bucket of a hash; high bits are folded in because short words differ little in the low ones. */
export function bucketOf(hash: number): number {
  return (hash ^ (hash >>> 15)) & (tableSize - 1)
}

export function lowered(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code
}
