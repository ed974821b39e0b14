import { nextTurn } from '../../base/next-turn.ts'

/** One `Allow` or `Disallow` line. `*` matches any text, `$` at the end matches the end of the path. */
export interface RobotsRule {
  isAllow: boolean
  pattern: string
}

export interface RobotsVerdict {
  isAllowed: boolean
  /** Number of rules with a wildcard that were compared with the path. */
  comparisons: number
}

/** Other calls get their turn after so many rules. */
const rulesInTurn = 2000

/**
 * Compiles rules so that a path is compared with few of them. Rules without a wildcard are looked up by their text. A rule
 * with a wildcard is compared only if the path contains the end of its longest literal piece.
 */
export async function compileRobotsRules(rules: RobotsRule[]): Promise<(path: string) => RobotsVerdict> {
  const exact = new Map<string, Ranked>()
  const prefixes = new Map<number, Map<string, Ranked>>()
  const wildcards = new Map<string, WildcardRule[]>()
  const seen = new Set<string>()
  const add = (rule: Ranked) => {
    const name = `${rule.isAllow}${rule.pattern}`
    if (seen.has(name)) return
    seen.add(name)
    const isAnchored = rule.pattern.endsWith('$')
    const text = isAnchored ? rule.pattern.slice(0, -1) : rule.pattern
    if (text.includes('*')) addTo(wildcards, toWildcard(rule, text.split('*'), isAnchored))
    else if (isAnchored) keepStronger(exact, text, rule)
    else {
      const sameLength = prefixes.get(text.length) ?? new Map<string, Ranked>()
      prefixes.set(text.length, sameLength)
      keepStronger(sameLength, text, rule)
    }
  }
  for (const [index, rule] of rules.entries()) {
    if (index % rulesInTurn === rulesInTurn - 1) await nextTurn()
    for (const one of rankedRules(rule)) add(one)
  }
  return (path) => {
    let best = exact.get(path)
    for (const [length, ofLength] of prefixes) {
      if (length <= path.length) best = stronger(best, ofLength.get(path.slice(0, length)))
    }
    let comparisons = 0
    for (const rule of wildcards.size === 0 ? [] : candidates(wildcards, path)) {
      if (best !== undefined && !isStronger(rule, best)) continue
      comparisons += 1
      if (matches(rule, path)) best = rule
    }
    return { isAllowed: best === undefined || best.isAllow, comparisons }
  }
}

interface Ranked extends RobotsRule {
  /** The rule with the greatest weight decides; of two with the same weight, the one that allows. */
  weight: number
}

interface WildcardRule extends Ranked {
  pieces: string[]
  isAnchored: boolean
  /** Text that every matching path contains. */
  key: string
}

/** To allow the index file of a folder is to allow the folder. */
function rankedRules({ isAllow, pattern }: RobotsRule): Ranked[] {
  const rule = { isAllow, pattern, weight: pattern.length }
  if (!isAllow || !/\/index\.html?$/.test(pattern)) return [rule]
  const folder = `${pattern.slice(0, pattern.lastIndexOf('/') + 1)}$`
  return [rule, { isAllow, pattern: folder, weight: folder.length }]
}

const keyLengths = [4, 2, 1]

function toWildcard(rule: Ranked, pieces: string[], isAnchored: boolean): WildcardRule {
  const longest = pieces.reduce((left, right) => (right.length > left.length ? right : left))
  const keyLength = keyLengths.find((length) => length <= longest.length) ?? 0
  return { ...rule, pieces, isAnchored, key: longest.slice(longest.length - keyLength) }
}

function addTo(wildcards: Map<string, WildcardRule[]>, rule: WildcardRule): void {
  const sameKey = wildcards.get(rule.key)
  if (sameKey) sameKey.push(rule)
  else wildcards.set(rule.key, [rule])
}

/** Yields each rule once whose key occurs in the path. */
function* candidates(wildcards: Map<string, WildcardRule[]>, path: string): Generator<WildcardRule> {
  yield* wildcards.get('') ?? []
  const keys = new Set<string>()
  for (const length of keyLengths) {
    for (let from = 0; from + length <= path.length; from += 1) keys.add(path.slice(from, from + length))
  }
  for (const key of keys) yield* wildcards.get(key) ?? []
}

/** Finds the pieces from left to right, each at its first position: with stars only, no other position is better. */
function matches({ pieces, isAnchored }: WildcardRule, path: string): boolean {
  const first = pieces[0] ?? ''
  if (!path.startsWith(first)) return false
  const last = isAnchored ? (pieces.at(-1) ?? '') : ''
  let from = first.length
  for (let index = 1; index < pieces.length - (isAnchored ? 1 : 0); index += 1) {
    const piece = pieces[index] ?? ''
    const found = path.indexOf(piece, from)
    if (found < 0) return false
    from = found + piece.length
  }
  return path.length - last.length >= from && path.endsWith(last)
}

function keepStronger(rules: Map<string, Ranked>, text: string, rule: Ranked): void {
  const kept = stronger(rules.get(text), rule)
  if (kept) rules.set(text, kept)
}

function stronger(left: Ranked | undefined, right: Ranked | undefined): Ranked | undefined {
  if (left === undefined || right === undefined) return left ?? right
  return isStronger(right, left) ? right : left
}

const isStronger = (one: Ranked, other: Ranked) =>
  one.weight > other.weight || (one.weight === other.weight && one.isAllow && !other.isAllow)
