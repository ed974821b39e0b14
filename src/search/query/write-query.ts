import { type Clause, isFilter, type Operator, type Query, type Term } from './query.ts'

/** What a search engine understands inside the text of a query. */
export interface Dialect {
  operators: readonly Operator[]
  hasPhrases: boolean
  hasMinus: boolean
  /** The word between alternatives, where there is one. */
  or?: string
  /** Image sizes, as Google writes them. */
  hasSizes?: boolean
}

export const plainWords: Dialect = { operators: [], hasPhrases: false, hasMinus: false }
/** What most engines of the web have in common. */
export const webDialect: Dialect = {
  operators: ['site', 'filetype', 'inurl', 'intitle'],
  hasPhrases: true,
  hasMinus: true,
  or: 'OR',
}

/**
 * Writes a query as an engine reads it. What the engine does not understand is written as words where it has any, and
 * is left over for the results to be filtered by.
 */
export function writeQuery(
  { clauses }: Pick<Query, 'clauses'>,
  dialect: Dialect,
): { text: string; left: Clause[] } {
  const left: Clause[] = []
  const parts: string[] = []
  for (const clause of clauses) {
    const isWhole = understands(clause, dialect)
    if (!isWhole && isFilter(clause)) left.push(clause)
    const written = isWhole ? writeClause(clause, dialect) : wordsOf(clause)
    if (written !== '') parts.push(written)
  }
  return { text: parts.join(' '), left }
}

function understands({ terms, isExcluded }: Clause, dialect: Dialect): boolean {
  if (isExcluded && !dialect.hasMinus) return false
  if (terms.length > 1 && dialect.or === undefined) return false
  return terms.every((term) => {
    if (term.kind === 'phrase') return dialect.hasPhrases
    if (term.kind === 'size') return dialect.hasSizes === true
    return term.kind === 'word' || dialect.operators.includes(term.name)
  })
}

function writeClause({ terms, isExcluded }: Clause, { or = 'OR' }: Dialect): string {
  return terms.map((term) => (isExcluded ? '-' : '') + writeTerm(term)).join(` ${or} `)
}

function writeTerm(term: Term): string {
  if (term.kind === 'word') return term.text
  if (term.kind === 'phrase') return `"${term.text}"`
  if (term.kind === 'size') return `${term.name}:${term.width}x${term.height}`
  return `${term.name}:${/\s/.test(term.value) ? `"${term.value}"` : term.value}`
}

/** The words of a clause that an engine cannot read as it stands. Those to leave out would bring what is not wanted. */
function wordsOf({ terms, isExcluded }: Clause): string {
  if (isExcluded) return ''
  const words = terms.map((term) => {
    if (term.kind === 'word' || term.kind === 'phrase') return term.text
    return term.kind === 'operator' && (term.name === 'intitle' || term.name === 'inurl') ? term.value : ''
  })
  return words.filter((text) => text !== '').join(' ')
}
