/** Operators that a word of a query can begin with; `allintitle:` and `allinurl:` become several of these. */
export const operators = ['site', 'filetype', 'inurl', 'intitle', 'related'] as const
export type Operator = (typeof operators)[number]

export type Term =
  | { kind: 'word'; text: string }
  | { kind: 'phrase'; text: string }
  | { kind: 'operator'; name: Operator; value: string }
  | { kind: 'size'; name: 'imagesize' | 'larger'; width: number; height: number }

/** One of the terms must hold; none may where the clause is excluded. A clause of one word only ranks. */
export interface Clause {
  terms: Term[]
  isExcluded: boolean
}

export interface Query {
  clauses: Clause[]
  /** Parts of the text that are no valid operator and are therefore searched as words. */
  problems: string[]
}

/** Whether results that do not hold to the clause are left out; other clauses only say what to look for. */
export function isFilter({ terms, isExcluded }: Clause): boolean {
  return isExcluded || terms.length > 1 || terms.some(({ kind }) => kind !== 'word')
}

/** The words that rank a result, phrases and titles included. */
export function rankingText({ clauses }: Query): string {
  const words = clauses.flatMap((clause) => (clause.isExcluded ? [] : clause.terms.map(wordsOf)))
  return words.filter((text) => text !== '').join(' ')
}

function wordsOf(term: Term): string {
  if (term.kind === 'word' || term.kind === 'phrase') return term.text
  if (term.kind === 'operator' && term.name === 'intitle') return term.value
  return ''
}
