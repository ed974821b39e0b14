import { LRUCache } from 'lru-cache'
import { nextTurn } from '../../platform/time-slice.ts'

/** One `Allow` or `Disallow` line. `*` matches any text, `$` at the end matches the end of the path. */
interface RobotsRule {
  isAllow: boolean
  pattern: string
}

interface RobotsVerdict {
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
async function compileRobotsRules(rules: RobotsRule[]): Promise<(path: string) => RobotsVerdict> {
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

/** The rules of a robots.txt for one agent. */
export interface RobotsRules {
  /** Whether a path with its query may be fetched. */
  allows(path: string): boolean
  /** The same, with the number of comparisons that it took. */
  check(path: string): RobotsVerdict
  /** Seconds between two requests that the site asks for. */
  crawlDelay: number | undefined
}

export interface Robots {
  /** The rules of the groups that name the agent, all of them together; without any, those for everyone. */
  rulesFor(agent: string): Promise<RobotsRules>
  /** Sitemaps that the file names, as they stand there. */
  sitemaps: string[]
  /** Number of rules, of all groups. */
  size: number
}

/** By the standard at least 500 KiB are read; what comes after is not. */
const maxCharacters = 512 * 1024
const maxSitemaps = 1000

/** A file may have 46,000 lines; other calls get their turn after so many. */
const linesInTurn = 2000

/** Reads a robots.txt by RFC 9309, with the mistakes forgiven that large crawlers forgive. */
export async function readRobots(text: string): Promise<Robots> {
  const sitemaps: string[] = []
  const groups: Group[] = []
  let group: Group | undefined
  const lines = text
    .slice(0, maxCharacters)
    .replace(/^[\uFEFF\uFFFD]+/, '')
    .split(/\r\n|\n|\r/)
  for (const [index, line] of lines.entries()) {
    if (index % linesInTurn === linesInTurn - 1) await nextTurn()
    const said = readLine(line)
    if (!said) continue
    if (said.key === 'agent') {
      // Agents named in a row share one group; a rule closes the row, anything else does not.
      if (!group || group.hasRules) {
        group = { agents: [], rules: [], hasRules: false }
        groups.push(group)
      }
      group.agents.push(said.value)
    } else if (said.key === 'sitemap') {
      if (said.value !== '' && sitemaps.length < maxSitemaps) sitemaps.push(said.value)
    } else if (group) {
      addRule(group, said.key, said.value)
    }
  }
  return robotsOf(groups, sitemaps)
}

function robotsOf(groups: Group[], sitemaps: string[]): Robots {
  const size = groups.reduce((sum, { rules }) => sum + rules.length, 0)
  return { sitemaps, size, rulesFor: compileOnce(groups) }
}

const maxCompiledAgents = 4

/** Every page of a crawl needs the rules of the same agent, and a file may have tens of thousands of them. */
function compileOnce(groups: Group[]): Robots['rulesFor'] {
  const compiled = new LRUCache<string, Promise<RobotsRules>>({ max: maxCompiledAgents })
  return (agent) => {
    const name = productOf(agent)
    const known = compiled.get(name)
    if (known) return known
    const rules = rulesOf(groups, name)
    compiled.set(name, rules)
    return rules
  }
}

interface Group {
  agents: string[]
  rules: RobotsRule[]
  hasRules: boolean
  crawlDelay?: number
}

type Key = 'agent' | 'allow' | 'disallow' | 'sitemap' | 'delay'

function readLine(line: string): { key: Key; value: string } | undefined {
  const bare = line.split('#', 1)[0]?.trim() ?? ''
  if (bare === '') return undefined
  const colon = bare.indexOf(':')
  // A missing colon is forgiven where the line is two words.
  const parts = colon < 0 ? bare.split(/\s+/) : [bare.slice(0, colon).trim(), bare.slice(colon + 1).trim()]
  const key = parts.length === 2 ? keys.get((parts[0] ?? '').toLowerCase()) : undefined
  return key && { key, value: parts[1] ?? '' }
}

const keys = new Map<string, Key>([
  ['user-agent', 'agent'],
  ['useragent', 'agent'],
  ['user agent', 'agent'],
  ['allow', 'allow'],
  ['disallow', 'disallow'],
  ['dissallow', 'disallow'],
  ['dissalow', 'disallow'],
  ['disalow', 'disallow'],
  ['diasllow', 'disallow'],
  ['disallaw', 'disallow'],
  ['sitemap', 'sitemap'],
  ['site-map', 'sitemap'],
  ['crawl-delay', 'delay'],
  ['crawldelay', 'delay'],
])

function addRule(group: Group, key: Key, value: string): void {
  // A delay ends the list of agents too: many files have groups with only a delay, followed by a ban for another agent.
  group.hasRules = true
  if (key === 'delay') {
    const seconds = Number(value)
    if (value !== '' && seconds >= 0) group.crawlDelay ??= seconds
    return
  }
  // A rule without a path rules nothing.
  if (value !== '') group.rules.push({ isAllow: key === 'allow', pattern: encodePattern(value) })
}

/** Octets beyond ASCII in percent-encoding, and every encoding in capitals, as in the paths compared with it. */
function encodePattern(pattern: string): string {
  return pattern
    .replace(/[^\x20-\x7e]+/g, (text) => encodeURIComponent(text.toWellFormed()))
    .replace(/%[0-9a-f]{2}/gi, (octet) => octet.toUpperCase())
}

async function rulesOf(groups: Group[], name: string): Promise<RobotsRules> {
  const own = groups.filter((group) => group.agents.some((named) => productOf(named) === name && name !== ''))
  const chosen = own.length > 0 ? own : groups.filter((group) => group.agents.some(isEveryone))
  const compare = await compileRobotsRules(chosen.flatMap((group) => group.rules))
  const check = (path: string) => compare(encodePattern(path.split('#', 1)[0] ?? ''))
  return {
    check,
    allows: (path) => check(path).isAllowed,
    crawlDelay: chosen.find((group) => group.crawlDelay !== undefined)?.crawlDelay,
  }
}

/** The product token: letters, underscores and hyphens; what follows, such as a version, does not count. */
function productOf(agent: string): string {
  return /^[a-z_-]*/i.exec(agent)?.[0].toLowerCase() ?? ''
}

function isEveryone(agent: string): boolean {
  return /^\*(?:\s|$)/.test(agent)
}

/** For a site without a robots.txt. */
export const allowEverything: Robots = robotsOf([], [])

/** For a site whose robots.txt cannot be had: by the standard nothing may be fetched then. */
export const allowNothing: Robots = robotsOf(
  [{ agents: ['*'], rules: [{ isAllow: false, pattern: '/' }], hasRules: true }],
  [],
)
