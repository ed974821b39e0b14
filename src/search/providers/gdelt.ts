import { z } from 'zod'
import type { Clause } from '../query/query.ts'
import type { TimeRange } from '../query/time-range.ts'
import { type Dialect, webDialect, writeQuery } from '../query/write-query.ts'
import { getJson } from './calls.ts'
import { normalizeResults } from './normalize-results.ts'
import {
  ProviderFailure,
  type ProviderRequest,
  type ProviderResponse,
  type SearchProvider,
} from './provider.ts'
import { dateOf, readJsonResponse, throwForStatus } from './read-response.ts'

/** Languages that GDELT translates. It uses the English names of languages and countries, without spaces. */
const languages = new Set(
  (
    'af sq ar hy az bn bs bg ca zh hr cs da nl en et fi fr gl ka de el gu he hi hu is id it ja kn kk ko lv lt mk ms ml ' +
    'mr mn ne no fa pl pt pa ro ru sr sk sl so es sw sv ta te th bo tr uk ur vi'
  ).split(' '),
)

/** Names are used for countries, because GDELT reads two letters as FIPS codes, which differ from ISO codes. */
const nameOverrides: Record<string, string> = {
  ...{ CZ: 'czechrepublic', HK: 'hongkong', MK: 'macedonia', MM: 'burma', TR: 'turkey' },
}

const languageNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
const countryNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })

function gdeltLanguage(language: string | undefined): string | undefined {
  if (language === undefined || !languages.has(language)) return undefined
  return languageNames.of(language)?.toLowerCase()
}

/** Returns undefined for names that GDELT may write differently. */
function gdeltCountry(country: string | undefined): string | undefined {
  if (country === undefined || !/^[A-Z]{2}$/.test(country)) return undefined
  const name = nameOverrides[country] ?? countryNames.of(country)?.replaceAll(' ', '').toLowerCase() ?? ''
  return /^[a-z]+$/.test(name) ? name : undefined
}

const articleSchema = z.object({
  url: z.string(),
  title: z.string().optional(),
  seendate: z.string().optional(),
  socialimage: z.string().optional(),
})
// Without results, the response is an empty object.
const responseSchema = z.union([z.object({ articles: z.array(articleSchema) }), z.strictObject({})])

const dialect: Dialect = { ...webDialect, operators: [] }

export const gdelt: SearchProvider = {
  name: 'gdelt',
  description: 'News of the last three months in many languages, by the DOC API of the GDELT project.',
  serves: ['news'],
  base: 'https://api.gdeltproject.org',
  requires: 'nothing',
  abilities: { dialect, dates: 'any', sortsByDate: true, country: true, language: true },
  pauseMs: 6000,
  maxResults: 250,
  call(request, { base }) {
    const { limit, range, now } = request
    return getJson({ base }, '/api/v2/doc/doc', {
      query: buildQuery(request),
      ...{ mode: 'artlist', format: 'json' },
      maxrecords: String(Math.min(limit, 250)),
      sort: range.isNewestFirst ? 'datedesc' : 'hybridrel',
      ...toDateParameters(range, now),
    })
  },
  read(response) {
    throwIfError(response)
    const parsed = readJsonResponse({ ...response, body: repairJson(response.body) }, responseSchema, 'GDELT')
    if (!('articles' in parsed)) return []
    return normalizeResults(
      parsed.articles.map(({ url, title, seendate, socialimage: imageUrl }) => ({
        ...{ url, title, publishedAt: parseTime(seendate), imageUrl },
      })),
    )
  },
}

function buildQuery({ query, country, language }: ProviderRequest): string {
  const [countryName, languageName] = [gdeltCountry(country), gdeltLanguage(language)]
  return [
    ...query.clauses.map(writeClause),
    ...(countryName === undefined ? [] : [`sourcecountry:${countryName}`]),
    ...(languageName === undefined ? [] : [`sourcelang:${languageName}`]),
  ]
    .filter((part) => part !== '')
    .join(' ')
}

/** Alternatives need brackets, and all but plain words need quotes. */
function writeClause(clause: Clause): string {
  const { text, unsupported } = writeQuery({ clauses: [clause] }, dialect)
  if (unsupported.length > 0)
    return writeSites(clause) || text.split(' ').map(quoteText).filter(Boolean).join(' ')
  const terms = clause.terms.flatMap((term) => ('text' in term ? quoteText(term.text) : [])).filter(Boolean)
  if (clause.isExcluded) return terms.map((term) => `-${term}`).join(' ')
  return terms.length > 1 ? `(${terms.join(' OR ')})` : terms.join('')
}

/** Returns an empty text for words of fewer than three letters, which GDELT rejects. */
function quoteText(text: string): string {
  const clean = text.replace(/[^\p{L}\p{M}\p{N}'.&-]+/gu, ' ').trim()
  if (/^[a-z0-9'.&-]{0,2}$/i.test(clean)) return ''
  return /^[\p{L}\p{M}\p{N}]+$/u.test(clean) ? clean : `"${clean}"`
}

/** `domain:` matches the end of a host name, so results must still be filtered by the site. */
function writeSites({ terms, isExcluded }: Clause): string {
  const sites = terms.flatMap((term) =>
    term.kind === 'operator' && term.name === 'site' ? [`domain:${term.value.split('/', 1)[0]}`] : [],
  )
  if (isExcluded || sites.length !== terms.length) return ''
  return sites.length > 1 ? `(${sites.join(' OR ')})` : sites.join('')
}

const firstArticle = Date.UTC(2017, 0)

function toDateParameters({ from, to }: TimeRange, now: number): Record<string, string> {
  if (from === undefined && to === undefined) return {}
  return { startdatetime: formatTime(from ?? firstArticle), enddatetime: formatTime(to ?? now) }
}

const formatTime = (time: number) => new Date(time).toISOString().replace(/\D/g, '').slice(0, 14)

function parseTime(seenDate = ''): number | undefined {
  const time = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/
  return time.test(seenDate) ? dateOf(seenDate.replace(time, '$1-$2-$3T$4:$5:$6Z')) : undefined
}

/** GDELT sends an error as a sentence with status 200. */
function throwIfError(response: ProviderResponse): void {
  throwForStatus(response, 'GDELT')
  const message = response.body.slice(0, 400).trim().slice(0, 200)
  if (/^[{[<]|^$/.test(message)) return
  const isLimit = /limit requests/i.test(message)
  const details = { responseText: message, ...(isLimit ? { retryAfter: 6000 } : {}) }
  throw new ProviderFailure(isLimit ? 'rate-limited' : 'refused', 'GDELT answered with an error', details)
}

/** Titles may contain lone backslashes and control characters, which JSON does not allow. */
function repairJson(body: string): string {
  return body
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|\\/g, (match) => (match === '\\' ? '\\\\' : match))
}
