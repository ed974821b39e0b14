import { randomBytes } from 'node:crypto'

/** Marks page text as such. Each task has a new random mark, so that no page can close it and pose as the service. */
export function createFence(): (text: string) => string {
  const mark = randomBytes(6).toString('hex')
  return (text) => `[begin text of the page ${mark}]\n${visible(text)}\n[end text of the page ${mark}]`
}

/** Without invisible characters: tags, and marks that change the text direction. */
export function visible(text: string): string {
  return text.replace(/[\u{e0000}-\u{e007f}\u202a-\u202e\u2066-\u2069\u200b-\u200f\u2060\ufeff]/gu, '')
}
