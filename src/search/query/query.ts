/** Operators of the query language; `allintitle:` and `allinurl:` become several of these. */
export const operators = ['site', 'filetype', 'inurl', 'intitle', 'related'] as const
export type Operator = (typeof operators)[number]

export type Term =
  | { kind: 'word'; text: string }
  | { kind: 'phrase'; text: string }
  | { kind: 'operator'; name: Operator; value: string }
  | { kind: 'size'; name: 'imagesize' | 'larger'; width: number; height: number }

/** Matches if one of its terms matches; excluded: if none does. A clause of a single word only ranks. */
export interface Clause {
  terms: Term[]
  isExcluded: boolean
}

export interface Query {
  clauses: Clause[]
  /** Parts of the text that are not a valid operator, and are therefore searched as words. */
  problems: string[]
}

export function isFilter({ terms, isExcluded }: Clause): boolean {
  return isExcluded || terms.length > 1 || terms.some(({ kind }) => kind !== 'word')
}

export function rankingText({ clauses }: Query): string {
  const words = clauses.flatMap((clause) => (clause.isExcluded ? [] : clause.terms.map(textOf)))
  return words.filter((text) => text !== '').join(' ')
}

export function textOf(term: Term): string {
  if (term.kind === 'word' || term.kind === 'phrase') return term.text
  if (term.kind === 'operator' && term.name === 'intitle') return term.value
  return ''
}

/** A minus, an operator, and a quoted text or a run without white space. */
const partPattern = /(-?)(?:([a-z]+):)?(?:"([^"]*)"|([^\s"]+))|"/giu
/** An operator followed by a space, as users sometimes write it. */
const spacedOperator = /\b(site|filetype|(?:all)?inurl|(?:all)?intitle|related|imagesize|larger):\s+/giu
const quotes = /[“”„‟«»]/gu
const operatorOfAll: ReadonlyMap<string, Operator> = new Map([
  ['allintitle', 'intitle'],
  ['allinurl', 'inurl'],
])
const sizePattern = /^(\d{1,5})[x×*](\d{1,5})$/i

/** Every text is a valid query; parts that are not operators are words. */
export function parseQuery(text: string): Query {
  const state: ParseState = { clauses: [], problems: [], isAlternative: false, all: undefined }
  const tidy = text.replace(quotes, '"').replace(spacedOperator, '$1:')
  for (const match of tidy.matchAll(partPattern)) readPart(match, state)
  return { clauses: joinSites(state.clauses), problems: state.problems }
}

interface ParseState {
  clauses: Clause[]
  problems: string[]
  isAlternative: boolean
  /** Operator of all following words, after `allintitle:` or `allinurl:`. */
  all: Operator | undefined
}

function readPart([whole, minus, operator, quoted, plain]: RegExpMatchArray, state: ParseState): void {
  if (whole === '"' || whole === '-') return
  state.isAlternative ||= whole === 'OR' || whole === '|'
  if (whole === 'OR' || whole === '|') return
  const text = (quoted ?? trimBrackets(plain ?? '')).trim()
  const name = operator?.toLowerCase()
  const all = name === undefined ? undefined : operatorOfAll.get(name)
  if (all) state.all = all
  const isExcluded = minus === '-'
  for (const term of termsOf({ whole, name, text, isQuoted: quoted !== undefined }, state))
    addTerm(term, isExcluded, state)
  state.isAlternative = false
}

function termsOf(
  {
    whole,
    name,
    text,
    isQuoted,
  }: { whole: string; name: string | undefined; text: string; isQuoted: boolean },
  state: ParseState,
): Term[] {
  if (name === undefined) {
    if (text === '') return []
    if (state.all) return [{ kind: 'operator', name: state.all, value: text }]
    return [isQuoted ? { kind: 'phrase', text } : { kind: 'word', text }]
  }
  const operator = operatorOfAll.get(name) ?? operators.find((known) => known === name)
  if (operator) return [operatorTerm(operator, text)]
  if (name === 'imagesize' || name === 'larger') {
    const size = sizePattern.exec(text)
    if (size) return [{ kind: 'size', name, width: Number(size[1]), height: Number(size[2]) }]
    state.problems.push(`${whole.trim()} has no size such as 1920x1080`)
  }
  return [{ kind: 'word', text: trimBrackets(whole.replace(/^-/, '').replaceAll('"', '')) }]
}

function operatorTerm(name: Operator, value: string): Term {
  const tidy = { site: siteOf, filetype: extensionOf, related: stripScheme }
  return { kind: 'operator', name, value: name in tidy ? tidy[name as keyof typeof tidy](value) : value }
}

/** Users add a scheme, a star, or a dot before a top-level domain. */
function siteOf(value: string): string {
  const bare = stripScheme(value).replace(/^(?:\*?\.)+/, '')
  const slash = bare.indexOf('/')
  return slash < 0 ? bare.toLowerCase() : bare.slice(0, slash).toLowerCase() + bare.slice(slash)
}

const extensionOf = (value: string) => value.replace(/^\.+/, '').toLowerCase()

const stripScheme = (value: string) => value.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').replace(/\/+$/, '')

/** Brackets have no meaning, because alternatives are not grouped. */
const trimBrackets = (text: string) => text.replace(/^[([]+/, '').replace(/[)\]]+$/, '')

function addTerm(term: Term, isExcluded: boolean, state: ParseState): void {
  const last = state.clauses.at(-1)
  if (state.isAlternative && last && !last.isExcluded && !isExcluded) last.terms.push(term)
  else state.clauses.push({ terms: [term], isExcluded })
}

/** No page is on two sites or of two types, so several of them are alternatives, with or without OR. */
function joinSites(clauses: Clause[]): Clause[] {
  const joined: Clause[] = []
  for (const clause of clauses) {
    const name = joinableName(clause)
    const same = name && joined.find((other) => joinableName(other) === name)
    if (same) same.terms.push(...clause.terms)
    else joined.push(clause)
  }
  return joined
}

function joinableName({ terms, isExcluded }: Clause): Operator | undefined {
  const [first] = terms
  if (isExcluded || first?.kind !== 'operator') return undefined
  if (first.name !== 'site' && first.name !== 'filetype') return undefined
  return terms.every((term) => term.kind === 'operator' && term.name === first.name) ? first.name : undefined
}
