import { parse, postprocess, preprocess } from 'micromark'
import { gfm } from 'micromark-extension-gfm'
import { describe, expect, it } from 'vitest'
import { lossesOf } from '../../../test/markdown/chunk-losses.ts'
import { randomPage } from '../../../test/markdown/random-page.ts'
import { wholePage } from '../../../test/markdown/whole-page.ts'
import { type Chunk, chunksOf } from './chunks.ts'
import { countTokens } from './tokens.ts'

/** Tables, listings and items, as another reader of Markdown finds them. */
function wholes(markdown: string): { start: number; end: number }[] {
  const document = parse({ extensions: [gfm()] }).document()
  const found: { start: number; end: number }[] = []
  const items: (number | undefined)[] = []
  const endItem = (end: number) => {
    const start = items.pop()
    if (start !== undefined) found.push({ start, end })
  }
  for (const [step, token] of postprocess(document.write(preprocess()(markdown, 'utf-8', true)))) {
    const [start, end] = [token.start.offset, token.end.offset]
    // The extension adds names that the types do not know.
    const name: string = token.type
    const isList = name === 'listOrdered' || name === 'listUnordered'
    if (step === 'enter' && isList) items.push(undefined)
    if (step === 'exit' && isList) endItem(end)
    if (step === 'enter' && name === 'listItemPrefix') {
      endItem(start)
      items.push(start)
    }
    const isWhole = name === 'table' || name === 'codeFenced'
    if (step === 'enter' && isWhole) found.push({ start, end })
  }
  return found
}

/** Edges of chunks inside what is never cut, with what stands around them. */
function cutsOf(markdown: string, chunks: readonly Chunk[]): string[] {
  const edges = chunks.flatMap(({ start, end }) => [start, end])
  return wholes(markdown).flatMap(({ start, end }) =>
    edges
      .filter((edge) => edge > start && edge < end && /[^\s>]/.test(markdown.slice(edge, end)))
      .map((edge) => `${markdown.slice(edge - 30, edge)}|${markdown.slice(edge, edge + 30)}`),
  )
}

describe('chunks of random pages', () => {
  it.each([64, 100])('give the Markdown back and cut no table, listing or item: size %i', (size) => {
    for (let seed = 0; seed < 150; seed += 1) {
      const markdown = Array.from({ length: 4 }, (_, part) => wholePage(randomPage(seed * 4 + part))).join(
        '\n\n',
      )
      const { chunks, tokens } = chunksOf(markdown, [], { size, overlap: 0 })
      expect(lossesOf(markdown, chunks)).toEqual([])
      expect(tokens).toBe(countTokens(markdown))
      expect(cutsOf(markdown, chunks), `page ${seed}`).toEqual([])
    }
  })
})
