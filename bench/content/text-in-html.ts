import { Parser } from 'htmlparser2'
import type { BenchPage, Scorer } from './scorer.ts'

/**
 * Returns true if the HTML contains most words of the expected content, so that an empty result is a mistake
 * of the system. Text that only a script creates cannot be found without a browser.
 */
export function htmlContainsTruth(scorer: Scorer, page: BenchPage): boolean {
  const truthWords = new Set(scorer.toks(page.text ?? page.md ?? page.with?.join(' ') ?? ''))
  if (truthWords.size === 0) return false
  const presentWords = new Set(scorer.toks(extractText(page.html)))
  return [...truthWords].filter((word) => presentWords.has(word)).length > truthWords.size / 2
}

function extractText(html: string): string {
  const texts: string[] = []
  let isHidden = false
  const parser = new Parser({
    onopentag(name) {
      isHidden = name === 'script' || name === 'style'
    },
    onclosetag() {
      isHidden = false
    },
    ontext(text) {
      if (!isHidden) texts.push(text)
    },
  })
  parser.end(html)
  return texts.join(' ')
}
