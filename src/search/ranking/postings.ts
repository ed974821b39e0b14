/**
 * Documents of an index are numbered in the order in which they came. A block holds 4,096 of them, and the documents
 * of a block that have a term are one array of 32-bit numbers, so that a list is read as it lies in the store.
 */
export const blockSize = 4096

/** How often a term stands in each part of a document. */
export interface Counts {
  title: number
  headings: number
  address: number
  body: number
}

export const noCounts: Readonly<Counts> = { title: 0, headings: 0, address: 0, body: 0 }

/** Twelve bits for the document, then three for the title, three for headings, two for the address, twelve for the body. */
export function packPosting(number: number, { title, headings, address, body }: Counts): number {
  const fields =
    (Math.min(title, 7) << 17) |
    (Math.min(headings, 7) << 14) |
    (Math.min(address, 3) << 12) |
    Math.min(body, 4095)
  return (((number % blockSize) << 20) | fields) >>> 0
}

/** Stands for the lengths of a document that is gone while its postings still lie in the block; 0 for none at all. */
export const goneLength = 1

/** Whether a document is there, by its lengths. */
export const isThere = (lengths: number): boolean => lengths >>> 31 === 1

/** How many words the parts of a document have. */
export function packLengths({ title, headings, body }: Omit<Counts, 'address'>): number {
  const fields =
    (Math.min(title, 63) << 25) | (Math.min(Math.ceil(headings / 2), 511) << 16) | Math.min(body, 65_535)
  return ((1 << 31) | fields) >>> 0
}

export const titleLength = (lengths: number): number => (lengths >>> 25) & 63
export const headingsLength = (lengths: number): number => ((lengths >>> 16) & 511) * 2
export const bodyLength = (lengths: number): number => lengths & 65_535
