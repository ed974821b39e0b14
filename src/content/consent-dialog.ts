import { jsonFile } from '../platform/json/json.ts'
import { attr, tag } from './tree/names.ts'
import { attribute, endOf, type Node, type Tree, tagOf, textAt } from './tree/tree.ts'

/**
 * Speaks of cookies and what they are for, asks for no text, and has a button that says yes or no. In front of a page a
 * link is a button too; within a text it is a link.
 */
export function isConsentDialog(tree: Tree, node: Node, isInFront: boolean): boolean {
  const end = endOf(tree, node)
  const buttons: string[] = []
  let text = ''
  for (let at = node + 1; at < end; at += 1) {
    const id = tagOf(tree, at)
    if (id === 0) text += `${textAt(tree, at)} `
    if (id === tag.textarea) return false
    if (id === tag.input) {
      const type = attribute(tree, at, attr.type)?.toLowerCase() ?? 'text'
      if (!unwritten.has(type)) return false
      buttons.push(attribute(tree, at, attr.value) ?? '')
    }
    if (isInFront ? id === tag.button || id === tag.a || hasRole(tree, at) : isButton(tree, at)) {
      buttons.push(textBelow(tree, at))
    }
  }
  return mentionsConsent(text.toLowerCase()) && buttons.some(isChoice)
}

const says = (words: string[], said: string) => words.some((word) => said.includes(word))

export function mentionsConsent(said: string): boolean {
  const { topics, purposes } = consentWords()
  return says(topics, said) && says(purposes, said)
}

/** Positions at which a lower-case text mentions consent: one search per word, for any number of blocks. */
export function consentOffsets(said: string, most: number): number[] {
  const places: number[] = []
  for (const topic of consentWords().topics) {
    for (let at = said.indexOf(topic); at !== -1 && places.length < most; at = said.indexOf(topic, at + 1)) {
      places.push(at)
    }
  }
  return places.toSorted((left, right) => left - right)
}

function isChoice(label: string): boolean {
  const said = label.toLowerCase()
  const { rejects, accepts, excludes } = consentWords()
  return label.length < 60 && !says(excludes, said) && (says(rejects, said) || says(accepts, said))
}

const hasRole = (tree: Tree, node: Node) => attribute(tree, node, attr.role) === 'button'

function isButton(tree: Tree, node: Node): boolean {
  const id = tagOf(tree, node)
  if (id === tag.button || hasRole(tree, node)) return true
  return id === tag.a && /\b(?:btn|button)/i.test(attribute(tree, node, attr.class) ?? '')
}

const unwritten = new Set(['button', 'submit', 'reset', 'checkbox', 'radio', 'hidden', 'image'])

function textBelow(tree: Tree, node: Node): string {
  let text = ''
  for (let at = node + 1; at < endOf(tree, node); at += 1) if (tagOf(tree, at) === 0) text += textAt(tree, at)
  return text.replace(/\s+/g, ' ').trim()
}

/**
 * Parts of words by which a cookie dialog and its buttons are known, in lower case. They are looked for only in what
 * stands in front of a page, and the buttons only inside what is about cookies; so short parts are good enough.
 */
export interface ConsentWords {
  topics: string[]
  /** Cookies are also food: a consent dialog contains one of these words too. */
  purposes: string[]
  rejects: string[]
  accepts: string[]
  /** A button with one of these is neither: it sells something or leads elsewhere. */
  excludes: string[]
}

export const consentWords = jsonFile<ConsentWords>(new URL('./consent-words.json', import.meta.url))
