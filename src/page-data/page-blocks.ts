import type { Content } from '../content/content.ts'
import type { TextBlock } from '../content/text-blocks.ts'
import { selectorWriter } from '../content/tree/selector-writer.ts'

export type PageBlock = Omit<TextBlock, 'holder'> & { selector: string }

export interface PageBlocks {
  blocks: PageBlock[]
  /** How many the page has; undefined if it is not HTML. */
  count: number | undefined
}

/** The blocks of a page, with where each stands. */
export function pageBlocks(content: Content): PageBlocks {
  const found = content.blocks()
  if (!found) return { blocks: [], count: undefined }
  const selectorOf = selectorWriter(content.tree())
  const blocks = found.blocks.map(({ text, holder, ...rest }) => ({
    text,
    selector: selectorOf(holder),
    ...rest,
  }))
  return { blocks, count: found.count }
}
