import { Parser } from 'htmlparser2'
import type { BenchPage, Scorer } from './scorer.ts'

/**
 * Whether a page without a result could have had one: its HTML holds most words of the truth. Where the text comes by a
 * script only, nothing can be found without a browser.
 */
export function hasItsText(scorer: Scorer, page: BenchPage): boolean {
  const truth = new Set(scorer.toks(page.text ?? page.md ?? page.with?.join(' ') ?? ''))
  if (truth.size === 0) return false
  const present = new Set(scorer.toks(textOf(page.html)))
  return [...truth].filter((word) => present.has(word)).length > truth.size / 2
}

function textOf(html: string): string {
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
