import { z } from 'zod'
import type { Query, Term } from '../query/query.ts'
import { plainWords, writeQuery } from '../query/write-query.ts'
import { buildCallUrl, isoDay, requireKey, throwKnownError } from './calls.ts'
import { filterResults, maybeText } from './normalize-results.ts'
import type { SearchProvider } from './provider.ts'
import { readJsonResponse } from './read-response.ts'

// Codes of the countries in Tavily's list. Tavily rejects other names.
const countries = new Set(
  (
    'AF AL DZ AD AO AR AM AU AT AZ BS BH BD BB BY BE BZ BJ BT BO BA BW BR BN BG BF BI KH CM CA CV CF TD CL CN ' +
    'CO KM CG CR HR CU CY CZ DK DJ DO EC EG SV GQ ER EE ET FJ FI FR GA GM GE DE GH GR GT GN HT HN HU IS IN ID ' +
    'IR IQ IE IL IT JM JP JO KZ KE KW KG LV LB LS LR LY LI LT LU MG MW MY MV ML MT MR MU MX MD MC MN ME MA MZ ' +
    'MM NA NP NL NZ NI NE NG KP MK NO OM PK PA PG PY PE PH PL PT QA RO RU RW SA SN RS SG SK SI SO ZA KR SS ES ' +
    'LK SD SE CH SY TW TJ TZ TH TG TT TN TR TM UG UA AE GB US UY UZ VE VN YE ZM ZW'
  ).split(' '),
)
const nameOverrides: Record<string, string> = {
  ...{ BA: 'bosnia and herzegovina', CG: 'congo', CZ: 'czech republic', MM: 'myanmar' },
  ...{ TR: 'turkey', TT: 'trinidad and tobago' },
}
const countryNames = new Intl.DisplayNames('en', { type: 'region' })

function tavilyCountry(code: string): string | undefined {
  return countries.has(code) ? (nameOverrides[code] ?? countryNames.of(code)?.toLowerCase()) : undefined
}

const responseSchema = z.object({
  results: z.array(
    z.object({ url: z.string(), title: z.string(), content: maybeText, published_date: maybeText }),
  ),
})

export const tavily: SearchProvider = {
  name: 'tavily',
  description: 'The web and news, chosen for language models, by Tavily.',
  base: 'https://api.tavily.com',
  requires: 'key',
  serves: ['web', 'news'],
  // Sites are sent as separate lists.
  abilities: { dialect: plainWords, dates: 'any', country: true },
  // A development key allows a hundred requests per minute.
  pauseMs: 600,
  maxResults: 20,
  call({ source, query, range, country, limit }, endpoint) {
    const { included, excluded } = siteDomains(query)
    return {
      method: 'POST',
      url: buildCallUrl(endpoint, '/search'),
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        authorization: `Bearer ${requireKey(endpoint, 'Tavily')}`,
      },
      body: JSON.stringify({
        query: writeQuery(query, plainWords).text || included.join(' '),
        topic: source === 'news' ? 'news' : 'general',
        // Other depths cost more.
        search_depth: 'basic',
        max_results: Math.min(limit, 20),
        start_date: isoDay(range.from),
        end_date: isoDay(range.to),
        include_domains: nonEmpty(included, 300),
        exclude_domains: nonEmpty(excluded, 150),
        // Tavily rejects a country for news.
        country: source === 'news' || country === undefined ? undefined : tavilyCountry(country),
      }),
    }
  },
  read(response, request) {
    throwKnownError(response, [
      { status: 432, problem: 'rate-limited', message: 'Tavily has reached the limit of the key or plan' },
      { status: 433, problem: 'rate-limited', message: 'Tavily has reached the limit of pay-as-you-go' },
    ])
    const { results } = readJsonResponse(response, responseSchema, 'Tavily')
    const rawResults = results.map(({ url, title, content, published_date }) => ({
      ...{ url, title, text: content, date: published_date },
    }))
    return filterResults(rawResults, request, 'Tavily')
  },
}

/** The hosts restrict less than the query, never more: results are filtered by the complete query afterwards. */
export function siteDomains({ clauses }: Query): { included: string[]; excluded: string[] } {
  const included = clauses.find(
    ({ terms, isExcluded }) => !isExcluded && terms.every((term) => hostOf(term) !== undefined),
  )
  const excluded = clauses.flatMap(({ terms, isExcluded }) => (isExcluded ? terms : []))
  return {
    included: (included?.terms ?? []).flatMap((term) => hostOf(term) ?? []),
    // Excluding a host for one of its paths would lose its other pages.
    excluded: excluded.flatMap((term) =>
      'value' in term && term.value.includes('/') ? [] : (hostOf(term) ?? []),
    ),
  }
}

/** `site:` also accepts the end of a host, such as `site:edu`, which is not a host. */
function hostOf(term: Term): string | undefined {
  if (term.kind !== 'operator' || term.name !== 'site') return undefined
  const [host = ''] = term.value.split('/', 1)
  return host.includes('.') ? host : undefined
}

function nonEmpty(hosts: string[], maxHosts: number): string[] | undefined {
  return hosts.length === 0 ? undefined : hosts.slice(0, maxHosts)
}
