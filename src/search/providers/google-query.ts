import type { Query } from '../query/query.ts'
import { webDialect, writeQuery } from '../query/write-query.ts'
import type { ProviderRequest } from './provider.ts'

/** The text of a query for a service that asks Google. */
export function googleText({ source, query }: Pick<ProviderRequest, 'source' | 'query'>): string {
  const hasSizes = source === 'images' && !asksForLarger(query)
  return writeQuery(query, { ...webDialect, hasSizes }).text
}

// Google knows `imagesize:`, and takes `larger:` for a word.
function asksForLarger({ clauses }: Query): boolean {
  return clauses.some(({ terms }) => terms.some((term) => term.kind === 'size' && term.name === 'larger'))
}

const otherCodes: Record<string, string> = { zh: 'zh-CN', nb: 'no', he: 'iw' }

/** `lr` of Google: only pages in a language. */
export function googleLanguage(language: string | undefined): string | undefined {
  return language === undefined ? undefined : `lang_${otherCodes[language] ?? language}`
}
