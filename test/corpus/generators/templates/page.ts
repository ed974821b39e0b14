import type { Expectation } from '../expectation.ts'

/** A page in the structure of a template, with its expectations. */
export interface TemplatePage {
  name: string
  html: string
  expectation: Expectation
}

type PartialExpectation = Partial<Omit<Expectation, 'url'>>

export const expected = (url: string, wanted: PartialExpectation): Expectation => ({
  url,
  lines: wanted.lines ?? [],
  text: wanted.text ?? [],
  words: wanted.words ?? [],
  inOrder: wanted.inOrder ?? [],
  not: wanted.not ?? [],
})

export const each = <T>(items: readonly T[], write: (item: T, index: number) => string) =>
  items.map(write).join('\n')

export const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
