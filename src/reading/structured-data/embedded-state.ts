import { readJson } from './json-text.ts'
import { readLiteral } from './literal.ts'

/** What a page hands to its own scripts. */
export interface EmbeddedState {
  name: string
  value: unknown
}

export interface Script {
  id: string
  type: string
  text: string
}

const maxStates = 50

/** Whole JSON blocks, and JSON given to well-known names such as `__INITIAL_STATE__`. */
export function embeddedStates(scripts: Script[]): EmbeddedState[] {
  const states: EmbeddedState[] = []
  for (const script of scripts) {
    if (states.length >= maxStates) break
    if (isJson(script)) states.push({ name: script.id, value: readJson(script.text) })
    else if (isCode(script)) states.push(...assignedStates(script.text))
  }
  return states.filter(({ value }) => typeof value === 'object' && value !== null).slice(0, maxStates)
}

/** What the page told its tag manager, in order. */
export function dataLayerPushes(scripts: Script[]): unknown[] {
  const pushes: unknown[] = []
  for (const { text } of scripts.filter(isCode)) {
    for (const { value } of literalsAfter(text, /\bdataLayer(?:\.push\s*\(|\s*=\s*(?=\[))\s*/g)) {
      pushes.push(...[value].flat().slice(0, maxStates))
    }
    for (const event of literalsAfter(text, /\bgtag\s*\(\s*(["'])event\1\s*,\s*(["'])view_item\2\s*,\s*/g)) {
      pushes.push({ event: 'view_item', ecommerce: event.value })
    }
  }
  return pushes.slice(0, maxStates)
}

function isJson({ type }: Script): boolean {
  return /^application\/(?!ld\+)(?:[\w.-]+\+)?json\b/.test(type)
}

function isCode({ type }: Script): boolean {
  return /^(?:|module|(?:text|application)\/(?:x-)?(?:java|ecma)script)$/.test(type)
}

const assignment = /\b(__[A-Za-z][A-Za-z0-9_]{0,60})["']?\]?\s*=\s*(?:JSON\.parse\(\s*)?(?=[{["'])/g

function assignedStates(text: string): EmbeddedState[] {
  return literalsAfter(text, assignment).map(({ found, value }) => ({
    name: found[1] ?? '',
    value: typeof value === 'string' ? readJson(value) : value,
  }))
}

/** A literal that breaks off was read in vain, perhaps to the end of the script. */
const maxFailures = 5

/** Literals that follow a pattern; one inside another is not looked for. */
function literalsAfter(text: string, pattern: RegExp): { found: RegExpExecArray; value: unknown }[] {
  const literals: { found: RegExpExecArray; value: unknown }[] = []
  const search = new RegExp(pattern)
  let failures = 0
  while (literals.length < maxStates && failures < maxFailures) {
    const found = search.exec(text)
    if (!found) break
    const literal = readLiteral(text, search.lastIndex)
    if (!literal) {
      failures += 1
      continue
    }
    literals.push({ found, value: literal.value })
    search.lastIndex = literal.end
  }
  return literals
}
