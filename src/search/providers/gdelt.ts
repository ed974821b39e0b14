import { z } from 'zod'
import type { Clause } from '../query/query.ts'
import type { TimeRange } from '../query/time-range.ts'
import { type Dialect, writeQuery } from '../query/write-query.ts'
import { getJson } from './calls.ts'
import { normalizeResults } from './normalize-results.ts'
import {
  type ProviderAnswer,
  ProviderFailure,
  type ProviderRequest,
  type SearchProvider,
} from './provider.ts'
import { readJsonResponse, throwForStatus } from './read-response.ts'

/** Those that it translates. It knows languages and countries by their English names without spaces. */
const languages = new Set(
  (
    'af sq ar hy az bn bs bg ca zh hr cs da nl en et fi fr gl ka de el gu he hi hu is id it ja kn kk ko lv lt mk ms ml ' +
    'mr mn ne no fa pl pt pa ro ru sr sk sl so es sw sv ta te th bo tr uk ur vi'
  ).split(' '),
)

/** Two letters are FIPS codes there, which name other countries than those of ISO, so names are used. */
const otherNames: Record<string, string> = {
  CZ: 'czechrepublic',
  HK: 'hongkong',
  MK: 'macedonia',
  MM: 'burma',
  TR: 'turkey',
}

const languageNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
const countryNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })

function gdeltLanguage(language: string | undefined): string | undefined {
  if (language === undefined || !languages.has(language)) return undefined
  return languageNames.of(language)?.toLowerCase()
}

/** Undefined for names that may be written in another way there. */
function gdeltCountry(country: string | undefined): string | undefined {
  if (country === undefined || !/^[A-Z]{2}$/.test(country)) return undefined
  const name = otherNames[country] ?? countryNames.of(country)?.replaceAll(' ', '').toLowerCase() ?? ''
  return /^[a-z]+$/.test(name) ? name : undefined
}

const articleShape = z.object({
  url: z.string(),
  title: z.string().optional(),
  seendate: z.string().optional(),
  socialimage: z.string().optional(),
})
// Where nothing is found the answer is an empty object.
const answerShape = z.union([z.object({ articles: z.array(articleShape) }), z.strictObject({})])

const dialect: Dialect = { operators: [], hasPhrases: true, hasMinus: true, or: 'OR' }

export const gdelt: SearchProvider = {
  name: 'gdelt',
  description: 'News of the last three months in many languages, by the DOC API of the GDELT project.',
  serves: ['news'],
  base: 'https://api.gdeltproject.org',
  requires: 'nothing',
  abilities: {
    dialect,
    ...{ dates: 'any', sortsByDate: true, country: true, language: true, location: false },
  },
  pauseMs: 6000,
  maxResults: 250,
  call(request, { base }) {
    const { most, range, now } = request
    return getJson({ base }, '/api/v2/doc/doc', {
      query: queryOf(request),
      ...{ mode: 'artlist', format: 'json' },
      maxrecords: String(Math.min(most, 250)),
      sort: range.isNewestFirst ? 'datedesc' : 'hybridrel',
      ...datesOf(range, now),
    })
  },
  read(answer) {
    refuseText(answer)
    const found = readJsonResponse({ ...answer, body: mended(answer.body) }, answerShape, 'GDELT')
    if (!('articles' in found)) return []
    return normalizeResults(
      found.articles.map(({ url, title, seendate, socialimage }) => ({
        url,
        title,
        publishedAt: momentOf(seendate),
        imageUrl: socialimage,
      })),
    )
  },
}

function queryOf({ query, country, language }: ProviderRequest): string {
  const [place, tongue] = [gdeltCountry(country), gdeltLanguage(language)]
  return [
    ...query.clauses.map(writtenClause),
    ...(place === undefined ? [] : [`sourcecountry:${place}`]),
    ...(tongue === undefined ? [] : [`sourcelang:${tongue}`]),
  ]
    .filter((part) => part !== '')
    .join(' ')
}

/** Alternatives need brackets, and everything that is not a plain word needs quotes. */
function writtenClause(clause: Clause): string {
  const { text, left } = writeQuery({ clauses: [clause] }, dialect)
  if (left.length > 0) return sitesOf(clause) || text.split(' ').map(quoted).filter(Boolean).join(' ')
  const terms = clause.terms.flatMap((term) => ('text' in term ? quoted(term.text) : [])).filter(Boolean)
  if (clause.isExcluded) return terms.map((term) => `-${term}`).join(' ')
  return terms.length > 1 ? `(${terms.join(' OR ')})` : terms.join('')
}

/** Words of less than three letters are refused. */
function quoted(text: string): string {
  const clean = text.replace(/[^\p{L}\p{M}\p{N}'.&-]+/gu, ' ').trim()
  if (/^[a-z0-9'.&-]{0,2}$/i.test(clean)) return ''
  return /^[\p{L}\p{M}\p{N}]+$/u.test(clean) ? clean : `"${clean}"`
}

/** A domain here matches the end of a name, so results still have to be filtered by the site. */
function sitesOf({ terms, isExcluded }: Clause): string {
  const sites = terms.flatMap((term) =>
    term.kind === 'operator' && term.name === 'site' ? [`domain:${term.value.split('/', 1)[0]}`] : [],
  )
  if (isExcluded || sites.length !== terms.length) return ''
  return sites.length > 1 ? `(${sites.join(' OR ')})` : sites.join('')
}

const firstArticle = Date.UTC(2017, 0)

/** Both ends must be named. */
function datesOf({ from, to }: TimeRange, now: number): Record<string, string> {
  if (from === undefined && to === undefined) return {}
  return { startdatetime: secondOf(from ?? firstArticle), enddatetime: secondOf(to ?? now) }
}

function secondOf(at: number): string {
  return new Date(at).toISOString().replace(/\D/g, '').slice(0, 14)
}

function momentOf(seen = ''): number | undefined {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(seen) ?? []
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(at) ? undefined : at
}

/** Errors are a sentence, with status 200. */
function refuseText(answer: ProviderAnswer): void {
  throwForStatus(answer, 'GDELT')
  const said = answer.body.slice(0, 400).trim().slice(0, 200)
  if (/^[{[<]|^$/.test(said)) return
  const reason = 'GDELT answered with an error'
  if (/limit requests/i.test(said))
    throw new ProviderFailure('rate-limited', reason, { said, retryAfter: 6000 })
  throw new ProviderFailure('refused', reason, { said })
}

/** Titles are not always escaped as JSON asks for: lone backslashes and control characters stand in them. */
function mended(body: string): string {
  return body
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|\\/g, (found) => (found === '\\' ? '\\\\' : found))
}
