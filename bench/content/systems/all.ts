import { defuddle } from './defuddle.ts'
import { nodeHtmlMarkdown } from './node-html-markdown.ts'
import { readability } from './readability.ts'
import { selectorList } from './selector-list.ts'
import type { System } from './system.ts'
import { turndown } from './turndown.ts'
import { winnow, winnowVariants } from './winnow.ts'

export const allSystems: System[] = [
  ...[winnow, readability, defuddle, selectorList, turndown, nodeHtmlMarkdown],
  ...winnowVariants,
]
