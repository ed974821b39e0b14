import { tag } from '../tree/names.ts'
import { endOf, type Node, none, textAt } from '../tree/tree.ts'
import { isSilent } from './facts.ts'
import { targetOfLink } from './link.ts'
import type { Writer } from './writer.ts'

interface TornCode {
  text: string
  /** The only link in the code, or the one that begins it, or `none`. */
  link: Node
  target: string
}

/** Beside a link in code: signs and letters that make one expression with it. */
const joinsBefore = /[\w(<[.:*&@]$/
const joinsAfter = /^[\w()<>[\].:*&]/

/** Code that links would tear apart, as in `Map<Key, Value>`; nothing for other code. */
export function tornCode(writer: Writer, code: Node): TornCode | undefined {
  const { tree, facts } = writer
  const end = endOf(tree, code)
  if (!holdsLink(writer, code, end)) return undefined
  let text = ''
  // Reading the end of the text itself would join its parts again each time.
  let last = ''
  let first = none
  let only = none
  let links = 0
  let isTorn = false
  let linkEnd = none
  let at = code + 1
  while (at < end) {
    const name = tree.tags[at] ?? 0
    if (((facts[at] ?? 0) & isSilent) !== 0) {
      at = endOf(tree, at)
      continue
    }
    if (name === tag.img) return undefined
    if (name === tag.br) {
      text += ' '
      last = ' '
    }
    if (name === tag.a && targetOfLink(writer, at) !== '') {
      if (last === '' && first === none) first = at
      only = at
      links += 1
      isTorn ||= joinsBefore.test(last)
      linkEnd = endOf(tree, at)
    } else if (name === 0) {
      const part = textAt(tree, at)
      isTorn ||= linkEnd !== none && at >= linkEnd && joinsAfter.test(part)
      if (at >= linkEnd && part !== '') linkEnd = none
      text += part
      if (part.trim() !== '' || last !== '') last = part.slice(-1)
    }
    at += 1
  }
  if (!isTorn) return undefined
  const link = links === 1 ? only : first
  return { text, link, target: link === none ? '' : targetOfLink(writer, link) }
}

function holdsLink({ tree }: Writer, code: Node, end: Node): boolean {
  for (let at = code + 1; at < end; at += 1) if (tree.tags[at] === tag.a) return true
  return false
}
