import { tag } from '../tree/names.ts'
import { classOf, endOf, type Node, type Tree } from '../tree/tree.ts'

/** Whether a listing is marked with a language that it is not in. */
export function isBadGuess(tree: Tree, pre: Node, marked: string, text: string): boolean {
  return marked === 'ruby' && isGuessedByRdoc(tree, pre) && isCommand(text)
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

/** Lines of plain words in sequence, which is not Ruby. */
function isCommand(text: string): boolean {
  return text.split('\n').every((line) => {
    const words = line.split(' ').filter(Boolean)
    return words.length >= fewestWords && words.every((word) => /^-{0,2}\w[\w./-]*$/.test(word))
  })
}

/** Haddock and DocBook mark the prompt, and with it that an example may be of any language. */
export function hasMarkedPrompt(tree: Tree, pre: Node): boolean {
  const first = pre + 1
  return tree.tags[first] === tag.code && classOf(tree, first) === 'prompt'
}
