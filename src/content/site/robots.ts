import { LRUCache } from 'lru-cache'
import { nextTurn } from '../../platform/time-slice.ts'

/** One `Allow` or `Disallow` line. `*` matches any text, `$` at the end matches the end of the path. */
interface RobotsRule {
  isAllow: boolean
  pattern: string
}

type RobotsResult = { isAllowed: boolean; comparisons: number }

const rulesPerSlice = 2000

/** Looks up rules without a wildcard by text; compares others only if the path contains their `key`. */
async function compileRobotsRules(rules: RobotsRule[]): Promise<(path: string) => RobotsResult> {
  const exact = new Map<string, RankedRule>()
  const prefixes = new Map<number, Map<string, RankedRule>>()
  const wildcards = new Map<string, WildcardRule[]>()
  const seen = new Set<string>()
  const add = (rule: RankedRule) => {
    const name = `${rule.isAllow}${rule.pattern}`
    if (seen.has(name)) return
    seen.add(name)
    const isAnchored = rule.pattern.endsWith('$')
    const text = isAnchored ? rule.pattern.slice(0, -1) : rule.pattern
    if (text.includes('*')) {
      const wildcard = createWildcardRule(rule, text.split('*'), isAnchored)
      const sameKey = wildcards.get(wildcard.key)
      if (sameKey) sameKey.push(wildcard)
      else wildcards.set(wildcard.key, [wildcard])
    } else if (isAnchored) keepStronger(exact, text, rule)
    else {
      const sameLength = prefixes.get(text.length) ?? new Map<string, RankedRule>()
      prefixes.set(text.length, sameLength)
      keepStronger(sameLength, text, rule)
    }
  }
  for (const [index, rule] of rules.entries()) {
    if (index % rulesPerSlice === rulesPerSlice - 1) await nextTurn()
    for (const ranked of rankRule(rule)) add(ranked)
  }
  return (path) => {
    let best = exact.get(path)
    for (const [length, rulesOfLength] of prefixes) {
      if (length <= path.length) best = stronger(best, rulesOfLength.get(path.slice(0, length)))
    }
    let comparisons = 0
    for (const rule of wildcards.size === 0 ? [] : findCandidates(wildcards, path)) {
      if (best !== undefined && !isStronger(rule, best)) continue
      comparisons += 1
      if (matches(rule, path)) best = rule
    }
    return { isAllowed: best === undefined || best.isAllow, comparisons }
  }
}

interface RankedRule extends RobotsRule {
  /** The rule with the greatest weight applies; of equal ones, `Allow`. */
  weight: number
}

interface WildcardRule extends RankedRule {
  pieces: string[]
  isAnchored: boolean
  key: string
}

/** Ranks a rule. A rule that allows the index file of a folder also allows the folder. */
function rankRule({ isAllow, pattern }: RobotsRule): RankedRule[] {
  const rule = { isAllow, pattern, weight: pattern.length }
  if (!isAllow || !/\/index\.html?$/.test(pattern)) return [rule]
  const folder = `${pattern.slice(0, pattern.lastIndexOf('/') + 1)}$`
  return [rule, { isAllow, pattern: folder, weight: folder.length }]
}

const keyLengths = [4, 2, 1]

function createWildcardRule(rule: RankedRule, pieces: string[], isAnchored: boolean): WildcardRule {
  const longestPiece = pieces.reduce((left, right) => (right.length > left.length ? right : left))
  const keyLength = keyLengths.find((length) => length <= longestPiece.length) ?? 0
  return { ...rule, pieces, isAnchored, key: longestPiece.slice(longestPiece.length - keyLength) }
}

function* findCandidates(wildcards: Map<string, WildcardRule[]>, path: string): Generator<WildcardRule> {
  yield* wildcards.get('') ?? []
  const keys = new Set<string>()
  for (const length of keyLengths) {
    for (let from = 0; from + length <= path.length; from += 1) keys.add(path.slice(from, from + length))
  }
  for (const key of keys) yield* wildcards.get(key) ?? []
}

/** Matches each piece at its first position: with `*` as the only wildcard, no other position is better. */
function matches({ pieces, isAnchored }: WildcardRule, path: string): boolean {
  const first = pieces[0] ?? ''
  if (!path.startsWith(first)) return false
  const last = isAnchored ? (pieces.at(-1) ?? '') : ''
  let from = first.length
  for (let index = 1; index < pieces.length - (isAnchored ? 1 : 0); index += 1) {
    const piece = pieces[index] ?? ''
    const position = path.indexOf(piece, from)
    if (position < 0) return false
    from = position + piece.length
  }
  return path.length - last.length >= from && path.endsWith(last)
}

function keepStronger(rules: Map<string, RankedRule>, text: string, rule: RankedRule): void {
  rules.set(text, stronger(rules.get(text), rule) ?? rule)
}

function stronger(left: RankedRule | undefined, right: RankedRule | undefined): RankedRule | undefined {
  if (left === undefined || right === undefined) return left ?? right
  return isStronger(right, left) ? right : left
}

const isStronger = (left: RankedRule, right: RankedRule) =>
  left.weight > right.weight || (left.weight === right.weight && left.isAllow && !right.isAllow)

export interface RobotsRules {
  allows(path: string): boolean
  check(path: string): RobotsResult
  /** Delay between two requests in seconds, as requested by the site. */
  crawlDelay: number | undefined
}

export interface Robots {
  /** Returns the combined rules of the groups that name the agent; if there are none, the rules for all agents. */
  rulesFor(agent: string): Promise<RobotsRules>
  sitemaps: string[]
  size: number
}

/** Maximum number of characters that are read. RFC 9309 requires at least 500 KiB. */
const maxCharacters = 512 * 1024
const maxSitemaps = 1000

/** Some files have 46,000 lines. */
const linesPerSlice = 2000

/** Parses a robots.txt by RFC 9309, and tolerates the same mistakes as large crawlers. */
export async function readRobots(text: string): Promise<Robots> {
  const sitemaps: string[] = []
  const groups: Group[] = []
  let group: Group | undefined
  const lines = text
    .slice(0, maxCharacters)
    .replace(/^[\uFEFF\uFFFD]+/, '')
    .split(/\r\n|\n|\r/)
  for (const [index, line] of lines.entries()) {
    if (index % linesPerSlice === linesPerSlice - 1) await nextTurn()
    const parsed = parseLine(line)
    if (!parsed) continue
    if (parsed.key === 'agent') {
      // Consecutive agents share one group. A rule ends the list of agents, other lines do not.
      if (!group || group.hasRules) {
        group = { agents: [], rules: [], hasRules: false }
        groups.push(group)
      }
      group.agents.push(parsed.value)
    } else if (parsed.key === 'sitemap') {
      if (parsed.value !== '' && sitemaps.length < maxSitemaps) sitemaps.push(parsed.value)
    } else if (group) {
      addRule(group, parsed.key, parsed.value)
    }
  }
  return createRobots(groups, sitemaps)
}

const maxCompiledAgents = 4

function createRobots(groups: Group[], sitemaps: string[]): Robots {
  // Every page of a crawl needs the rules of the same agent, and a file may have tens of thousands of rules.
  const compiled = new LRUCache<string, Promise<RobotsRules>>({ max: maxCompiledAgents })
  return {
    sitemaps,
    size: groups.reduce((sum, { rules }) => sum + rules.length, 0),
    rulesFor(agent) {
      const name = getProductToken(agent)
      const rules = compiled.get(name) ?? compileRules(groups, name)
      compiled.set(name, rules)
      return rules
    },
  }
}

interface Group {
  agents: string[]
  rules: RobotsRule[]
  hasRules: boolean
  crawlDelay?: number
}

type Key = 'agent' | 'allow' | 'disallow' | 'sitemap' | 'delay'

function parseLine(line: string): { key: Key; value: string } | undefined {
  const content = line.split('#', 1)[0]?.trim() ?? ''
  if (content === '') return undefined
  const colon = content.indexOf(':')
  // Tolerates a missing colon if the line is two words.
  const parts =
    colon < 0 ? content.split(/\s+/) : [content.slice(0, colon).trim(), content.slice(colon + 1).trim()]
  const [name = '', value] = parts
  if (parts.length !== 2 || value === undefined) return undefined
  const key = keyPatterns.find(([pattern]) => pattern.test(name.toLowerCase()))?.[1]
  return key && { key, value }
}

const keyPatterns: [RegExp, Key][] = [
  [/^user[- ]?agent$/, 'agent'],
  [/^allow$/, 'allow'],
  [/^(?:diss?all?ow|diasllow|disallaw)$/, 'disallow'],
  [/^site-?map$/, 'sitemap'],
  [/^crawl-?delay$/, 'delay'],
]

function addRule(group: Group, key: Key, value: string): void {
  // A delay ends the list of agents too: many files have groups with only a delay, followed by rules for another agent.
  group.hasRules = true
  if (key === 'delay') {
    const seconds = Number(value)
    if (value !== '' && seconds >= 0) group.crawlDelay ??= seconds
    return
  }
  if (value !== '') group.rules.push({ isAllow: key === 'allow', pattern: encodePattern(value) })
}

/** Percent-encodes non-ASCII octets and writes all encodings in upper case, like the paths that are compared. */
function encodePattern(pattern: string): string {
  return pattern
    .replace(/[^\x20-\x7e]+/g, (text) => encodeURIComponent(text.toWellFormed()))
    .replace(/%[0-9a-f]{2}/gi, (octet) => octet.toUpperCase())
}

async function compileRules(groups: Group[], name: string): Promise<RobotsRules> {
  const filterGroups = (isMatch: (agent: string) => boolean) =>
    groups.filter(({ agents }) => agents.some(isMatch))
  const named = filterGroups((agent) => name !== '' && getProductToken(agent) === name)
  const selected = named.length > 0 ? named : filterGroups((agent) => /^\*(?:\s|$)/.test(agent))
  const checkEncoded = await compileRobotsRules(selected.flatMap((group) => group.rules))
  const check = (path: string) => checkEncoded(encodePattern(path.split('#', 1)[0] ?? ''))
  return {
    check,
    allows: (path) => check(path).isAllowed,
    crawlDelay: selected.find((group) => group.crawlDelay !== undefined)?.crawlDelay,
  }
}

const getProductToken = (agent: string) => /^[a-z_-]*/i.exec(agent)?.[0].toLowerCase() ?? ''

export const allowAll: Robots = createRobots([], [])

/** Rules for a site whose robots.txt is unreachable: by RFC 9309, nothing may be fetched then. */
export const disallowAll: Robots = createRobots(
  [{ agents: ['*'], rules: [{ isAllow: false, pattern: '/' }], hasRules: true }],
  [],
)
