import { randomBytes } from 'node:crypto'

/** Marks text of a page as such. The mark is made anew for every task, so that no page can close it and speak for us. */
export function createFence(): (text: string) => string {
  const mark = randomBytes(6).toString('hex')
  return (text) => `[begin text of the page ${mark}]\n${visible(text)}\n[end text of the page ${mark}]`
}

/** Without letters that nobody sees: tags, and marks that turn the direction of the text around. */
export function visible(text: string): string {
  return text.replace(/[\u{e0000}-\u{e007f}\u202a-\u202e\u2066-\u2069\u200b-\u200f\u2060\ufeff]/gu, '')
}
