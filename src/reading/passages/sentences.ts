import { type SentenceLanguage, splitSentences } from '../text/split-sentences.ts'
import { type BlockKind, textBlocks } from './markdown-blocks.ts'

/** A sentence of a page as it stands there, or the whole text of a block that has none. */
export interface Sentence {
  text: string
  kind: BlockKind
  /** The texts of the headings above it, the outermost first. */
  path: readonly string[]
  /** Which block of the page it stands in. */
  block: number
}

export interface PageSentences {
  sentences: Sentence[]
  /** Whether the page has more text than is read. */
  isCut: boolean
}

/** What stands behind is not read: no reader looks for a sentence in a library. */
const mostText = 2_000_000
export const mostSentences = 20_000
/** A row or a definition is one unit of meaning, unless it is long. */
const longestRow = 300

/** The Markdown of a page → its sentences in order. */
export function pageSentences(markdown: string, language: SentenceLanguage): PageSentences {
  const sentences: Sentence[] = []
  let isCut = markdown.length > mostText
  for (const [block, { kind, text, path }] of textBlocks(markdown.slice(0, mostText)).entries()) {
    if (sentences.length >= mostSentences) {
      isCut = true
      break
    }
    const isWhole = kind === 'heading' || (kind === 'row' && text.length <= longestRow)
    const texts = isWhole ? [text.replaceAll('\n', ' ')] : splitSentences(text, language)
    for (const one of texts) if (isText(one)) sentences.push({ text: one, kind, path, block })
  }
  return { sentences: sentences.slice(0, mostSentences), isCut: isCut || sentences.length > mostSentences }
}

/** Something without a letter or a digit says nothing. */
const isText = (text: string) => /[\p{L}\p{N}]/u.test(text)
