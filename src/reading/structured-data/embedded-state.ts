import { parseForeignJson } from '../../base/parse-json.ts'
import { unflattened } from './flattened.ts'
import { readJson } from './json-text.ts'
import { tryLiteral } from './literal.ts'

/** The data that a page passes to its own scripts. */
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

/**
 * Whole JSON blocks, and JSON that is given to a name: to those that frameworks have for it, such as `__INITIAL_STATE__`, first,
 * then to any name of the window, or at the beginning of a line or statement.
 */
export function embeddedStates(scripts: Script[]): EmbeddedState[] {
  const states: EmbeddedState[] = []
  const add = (found: EmbeddedState[]) =>
    states.push(...found.filter(({ value }) => typeof value === 'object' && value !== null))
  for (const script of scripts) {
    if (isJson(script)) add([{ name: script.id, value: unflattened(readJson(script.text)) }])
    else if (isCode(script)) {
      add([{ name: script.id, value: unflattened(wholeJson(script)) }])
      add(assignedStates(script.text, assignment))
    }
  }
  for (const { text } of scripts.filter(isCode)) {
    if (states.length >= maxStates) break
    add(assignedStates(text, anyAssignment, leastLength))
  }
  return states.slice(0, maxStates)
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
  return /^(?:application|text)\/(?!ld\+)(?:[\w.-]+\+)?json\b/.test(type)
}

/** Some pages omit the type of a block that only contains JSON. */
function wholeJson({ text }: Script): unknown {
  if (!/^\s*[{[]/.test(text)) return undefined
  try {
    return parseForeignJson(text)
  } catch {
    return undefined
  }
}

function isCode({ type }: Script): boolean {
  return /^(?:|module|(?:text|application)\/(?:x-)?(?:java|ecma)script)$/.test(type)
}

const assignment = /\b(__[A-Za-z][A-Za-z0-9_]{0,60})["']?\]?\s*=\s*(?:JSON\.parse\(\s*)?(?=[{["'])/g

/** Data after it is only searched for the subject of the page. */
const anyAssignment =
  /(?:^|[;,{}\n])[ \t]*(?:(?:var|let|const)\s+)?((?:window|self|globalThis|theme|[A-Za-z_$][\w$]{0,60})(?:\.[A-Za-z_$][\w$]{0,60}|\[["'][\w.$-]{1,60}["']\]){0,4})\s*=\s*(?:JSON\.parse\(\s*(?=["'`])|(?=[{[]\s*["{[]))/g

/** Shorter than any description of a product; scripts have many of these. */
const leastLength = 80

function assignedStates(text: string, pattern: RegExp, least = 0): EmbeddedState[] {
  return literalsAfter(text, pattern, least).map(({ found, value }) => ({
    name: found[1] ?? '',
    value: typeof value === 'string' ? readJson(value) : value,
  }))
}

/** A literal that breaks off was read in vain, perhaps to the end of the script: all of them together no more than twice. */
const mostInVain = 2
/** A fixed cost for each of them, because even a short one takes time. */
const maxFailures = 5000

/** Literals that follow a pattern; one inside another is not looked for. */
function literalsAfter(
  text: string,
  pattern: RegExp,
  least = 0,
): { found: RegExpExecArray; value: unknown }[] {
  const literals: { found: RegExpExecArray; value: unknown }[] = []
  const search = new RegExp(pattern)
  let inVain = 0
  let failures = 0
  while (literals.length < maxStates && failures < maxFailures && inVain <= mostInVain * text.length) {
    const found = search.exec(text)
    if (!found) break
    const literal = tryLiteral(text, search.lastIndex)
    if (!literal.ok) {
      inVain += literal.end - search.lastIndex
      failures += 1
      continue
    }
    if (literal.end - search.lastIndex >= least) literals.push({ found, value: literal.value })
    search.lastIndex = literal.end
  }
  return literals
}
