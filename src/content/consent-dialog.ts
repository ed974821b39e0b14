import { jsonFile } from '../platform/json/json.ts'
import { attr, tag } from './tree/names.ts'
import { attribute, endOf, type Node, readTexts, type Tree, tagOf, textAt } from './tree/tree.ts'

/** Links count as buttons only in front of the page; elsewhere they must look like buttons. */
export function isConsentDialog(tree: Tree, node: Node, isInFront: boolean): boolean {
  const end = endOf(tree, node)
  const buttons: string[] = []
  let text = ''
  for (let at = node + 1; at < end; at += 1) {
    const id = tagOf(tree, at)
    if (id === 0) text += `${textAt(tree, at)} `
    if (id === tag.textarea) return false
    if (id === tag.input) {
      const inputType = attribute(tree, at, attr.type)?.toLowerCase() ?? 'text'
      if (!typesWithoutText.has(inputType)) return false
      buttons.push(attribute(tree, at, attr.value) ?? '')
    }
    if (isInFront ? id === tag.button || id === tag.a || hasRole(tree, at) : isButton(tree, at)) {
      const label = readTexts(tree, at + 1, endOf(tree, at))
      buttons.push(label.replace(/\s+/g, ' ').trim())
    }
  }
  return mentionsConsent(text.toLowerCase()) && buttons.some(isChoice)
}

const containsAny = (words: string[], text: string) => words.some((word) => text.includes(word))

export function mentionsConsent(text: string): boolean {
  const { topics, purposes } = consentWords()
  return containsAny(topics, text) && containsAny(purposes, text)
}

export function findConsentOffsets(text: string, max: number): number[] {
  const offsets: number[] = []
  for (const topic of consentWords().topics) {
    for (let at = text.indexOf(topic); at !== -1 && offsets.length < max; at = text.indexOf(topic, at + 1)) {
      offsets.push(at)
    }
  }
  return offsets.toSorted((left, right) => left - right)
}

function isChoice(label: string): boolean {
  const lowerCase = label.toLowerCase()
  const { rejects, accepts, excludes } = consentWords()
  if (label.length >= 60 || containsAny(excludes, lowerCase)) return false
  return containsAny(rejects, lowerCase) || containsAny(accepts, lowerCase)
}

const hasRole = (tree: Tree, node: Node) => attribute(tree, node, attr.role) === 'button'

function isButton(tree: Tree, node: Node): boolean {
  const id = tagOf(tree, node)
  if (id === tag.button || hasRole(tree, node)) return true
  return id === tag.a && /\b(?:btn|button)/i.test(attribute(tree, node, attr.class) ?? '')
}

const typesWithoutText = new Set(['button', 'submit', 'reset', 'checkbox', 'radio', 'hidden', 'image'])

/** Lower-case fragments. Short ones suffice, because they are searched only in dialogs and consent texts. */
export interface ConsentWords {
  topics: string[]
  /** A consent dialog also mentions a purpose, because "cookie" may refer to food. */
  purposes: string[]
  rejects: string[]
  accepts: string[]
  /** A button with one of these words is not a choice: it buys a product or links to another page. */
  excludes: string[]
}

export const consentWords = jsonFile<ConsentWords>(new URL('./consent-words.json', import.meta.url))
