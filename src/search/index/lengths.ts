import { blockSize } from '../ranking/postings.ts'
import type { SearchQueryable } from './tables.ts'

/** Numbers as the store keeps them. */
export function bytesOf(numbers: ArrayLike<number>): Uint8Array {
  return new Uint8Array(new Uint32Array(numbers).buffer)
}

/** Bytes of the store as numbers; they are copied where they do not lie on a border of four. */
export function numbersOf(bytes: Uint8Array): Uint32Array {
  const { buffer, byteOffset, byteLength } = byteOffset4(bytes) ? bytes : Uint8Array.from(bytes)
  return new Uint32Array(buffer, byteOffset, Math.floor(byteLength / 4))
}

function byteOffset4({ byteOffset }: Uint8Array): boolean {
  return byteOffset % 4 === 0
}

/** The lengths of all documents of a block; those of a new block are 0. */
export async function readLengths(
  query: SearchQueryable,
  indexId: string,
  block: number,
): Promise<Uint32Array> {
  const row = await query
    .selectFrom('search_blocks')
    .select('lengths')
    .where('index_id', '=', indexId)
    .where('block', '=', block)
    .executeTakeFirst()
  const lengths = new Uint32Array(blockSize)
  if (row) lengths.set(numbersOf(row.lengths))
  return lengths
}

export async function saveLengths(
  query: SearchQueryable,
  indexId: string,
  block: number,
  lengths: Uint32Array,
): Promise<void> {
  const bytes = bytesOf(lengths)
  await query
    .insertInto('search_blocks')
    .values({ index_id: indexId, block, lengths: bytes })
    .onConflict((conflict) => conflict.columns(['index_id', 'block']).doUpdateSet({ lengths: bytes }))
    .execute()
}
