import { type Clause, isFilter, type Operator, type Query, type Term, textOf } from './query.ts'

export interface Dialect {
  operators: readonly Operator[]
  hasPhrases: boolean
  hasMinus: boolean
  or?: string
  /** The syntax of image sizes is that of Google. */
  hasSizes?: boolean
}

export const plainWords: Dialect = { operators: [], hasPhrases: false, hasMinus: false }
/** Syntax that most web search engines have in common. */
export const webDialect: Dialect = {
  operators: ['site', 'filetype', 'inurl', 'intitle'],
  ...{ hasPhrases: true, hasMinus: true, or: 'OR' },
}

/** Unsupported clauses are written as words if they have any, and returned as filters of the results. */
export function writeQuery(
  { clauses }: Pick<Query, 'clauses'>,
  dialect: Dialect,
): { text: string; unsupported: Clause[] } {
  const unsupported: Clause[] = []
  const parts: string[] = []
  for (const clause of clauses) {
    const isSupported = supportsClause(clause, dialect)
    if (!isSupported && isFilter(clause)) unsupported.push(clause)
    const clauseText = isSupported ? writeClause(clause, dialect) : wordsOf(clause)
    if (clauseText !== '') parts.push(clauseText)
  }
  return { text: parts.join(' '), unsupported }
}

function supportsClause({ terms, isExcluded }: Clause, dialect: Dialect): boolean {
  if (isExcluded && !dialect.hasMinus) return false
  if (terms.length > 1 && dialect.or === undefined) return false
  return terms.every((term) => {
    if (term.kind === 'phrase') return dialect.hasPhrases
    if (term.kind === 'size') return dialect.hasSizes === true
    return term.kind === 'word' || dialect.operators.includes(term.name)
  })
}

function writeClause({ terms, isExcluded }: Clause, { or }: Dialect): string {
  return terms.map((term) => (isExcluded ? '-' : '') + writeTerm(term)).join(` ${or} `)
}

function writeTerm(term: Term): string {
  if (term.kind === 'word') return term.text
  if (term.kind === 'phrase') return `"${term.text}"`
  if (term.kind === 'size') return `${term.name}:${term.width}x${term.height}`
  return `${term.name}:${/\s/.test(term.value) ? `"${term.value}"` : term.value}`
}

/** Excluded words are omitted, because they would find unwanted results. */
function wordsOf({ terms, isExcluded }: Clause): string {
  if (isExcluded) return ''
  const words = terms.map((term) =>
    term.kind === 'operator' && term.name === 'inurl' ? term.value : textOf(term),
  )
  return words.filter((text) => text !== '').join(' ')
}
