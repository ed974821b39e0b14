import { tag } from '../tree/names.ts'
import { classOf, endOf, type Node, type Tree } from '../tree/tree.ts'
import { languageOf } from './language.ts'

/** The language a listing is marked with, unless the mark is a bad guess; else the one its text gives away. */
export function likelyLanguage(tree: Tree, pre: Node, text: string): string {
  const marked = languageOf(tree, pre)
  if (marked === 'ruby' && isGuessedByRdoc(tree, pre) && isCommand(text)) return ''
  if (marked === '' && text.startsWith('>>> ') && !hasMarkedPrompt(tree, pre)) return 'python'
  return marked
}

/** RDoc calls Ruby whatever Ruby can parse, and "gem install name" is three calls to it. */
function isGuessedByRdoc(tree: Tree, pre: Node): boolean {
  if (classOf(tree, pre) !== 'ruby') return false
  const end = endOf(tree, pre)
  let words = 0
  for (let at = pre + 1; at < end; at += 1) {
    if (tree.tags[at] === 0) continue
    if (!/^ruby-(?:identifier|operator|value)$/.test(classOf(tree, at) ?? '')) return false
    words += 1
  }
  return words > 0
}

const fewestWords = 3

/** Lines of bare words, one after another, as nobody writes in Ruby. */
function isCommand(text: string): boolean {
  return text.split('\n').every((line) => {
    const words = line.split(' ').filter(Boolean)
    return words.length >= fewestWords && words.every((word) => /^-{0,2}\w[\w./-]*$/.test(word))
  })
}

/** Haddock and DocBook mark the prompt, and with it that an example may be of any language. */
function hasMarkedPrompt(tree: Tree, pre: Node): boolean {
  const first = pre + 1
  return tree.tags[first] === tag.code && classOf(tree, first) === 'prompt'
}
