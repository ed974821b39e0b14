import type { TimeRange } from '../query/time-range.ts'
import { webDialect, writeQuery } from '../query/write-query.ts'
import { buildCallUrl, dayOf } from './calls.ts'
import { normalizeResults } from './normalize-results.ts'
import { ProviderFailure, type ProviderRequest, type SearchProvider } from './provider.ts'
import { readFeed } from './read-feed.ts'
import { dateOf } from './read-response.ts'

const dialect = { ...webDialect, operators: ['site', 'inurl', 'intitle'] } as const

export const googleNews: SearchProvider = {
  name: 'google-news',
  description:
    'News of many publishers, by the feed of Google News; its links lead to the articles by way of Google.',
  serves: ['news'],
  base: 'https://news.google.com',
  requires: 'nothing',
  abilities: {
    dialect,
    ...{ dates: 'any', sortsByDate: false, country: true, language: true, location: false },
  },
  pauseMs: 1000,
  maxResults: 100,
  call(request, { base }) {
    const { query, range, now } = request
    const words = [writeQuery(query, dialect).text, ...datesOf(range, now)]
    const url = buildCallUrl({ base }, '/rss/search', {
      q: words.filter((part) => part !== '').join(' '),
      ...editionOf(request),
    })
    return { method: 'GET', url, headers: { accept: 'application/rss+xml' } }
  },
  read(answer) {
    if (/unusual traffic|\/sorry\/|consent\.google\./i.test(startOfPage(answer.body)))
      throw new ProviderFailure('blocked', 'Google News wants proof of a human or of consent')
    return normalizeResults(
      readFeed(answer, 'Google News').map(({ link, texts }) => {
        const [title, source] = [texts.get('title') ?? '', texts.get('source') ?? '']
        const end = ` - ${source}`
        return {
          url: link,
          title: source !== '' && title.endsWith(end) ? title.slice(0, -end.length) : title,
          // The description is the title once more, as a link.
          text: source,
          publishedAt: dateOf(texts.get('pubdate')),
        }
      }),
    )
  },
}

/** A feed may speak of such things; only a page says them of itself. */
function startOfPage(body: string): string {
  return /^\s*<(?:!doctype html|html)/i.test(body.slice(0, 200)) ? body.slice(0, 20_000) : ''
}

const [hour, day] = [3_600_000, 86_400_000]

/** Whole days, of which nobody says in which time zone: one more at each end, as results have their own dates. */
function datesOf({ from, to }: TimeRange, now: number): string[] {
  if (from !== undefined && to === undefined && now - from <= 2 * day)
    return [`when:${Math.max(1, Math.ceil((now - from) / hour))}h`]
  return [
    ...(from === undefined ? [] : [`after:${dayOf(from - day)}`]),
    ...(to === undefined ? [] : [`before:${dayOf(to + day)}`]),
  ]
}

/** Where Spanish is that of Latin America. */
const latinAmerica = ['AR', 'CL', 'CO', 'CU', 'MX', 'PE', 'US', 'VE']

/** An edition is a country and a language; where one of them is missing, the usual one goes with the other. */
function editionOf({ country, language }: Pick<ProviderRequest, 'country' | 'language'>) {
  const usual = new Intl.Locale(`${codeOf(language, 'und')}${country ? `-${codeOf(country, 'US')}` : ''}`)
  const { language: spoken, region = 'US' } = usual.maximize()
  const edition = { gl: region, hl: `${spoken}-${region}`, ceid: `${region}:${spoken}` }
  if (spoken === 'zh') return { ...edition, ceid: `${region}:zh-${region === 'CN' ? 'Hans' : 'Hant'}` }
  if (spoken === 'pt' && region === 'BR') return { ...edition, ceid: 'BR:pt-419' }
  if (spoken !== 'es' || !latinAmerica.includes(region)) return edition
  return { ...edition, hl: 'es-419', ceid: `${region}:es-419` }
}

function codeOf(code: string | undefined, otherwise: string): string {
  return code !== undefined && /^[a-z]{2,3}$/i.test(code) ? code : otherwise
}
