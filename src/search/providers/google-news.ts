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
  abilities: { dialect, dates: 'any', country: true, language: true },
  pauseMs: 1000,
  maxResults: 100,
  call(request, { base }) {
    const { query, range, now } = request
    const words = [writeQuery(query, dialect).text, ...writeDates(range, now)]
    const url = buildCallUrl({ base }, '/rss/search', {
      q: words.filter((part) => part !== '').join(' '),
      ...getEdition(request),
    })
    return { method: 'GET', url, headers: { accept: 'application/rss+xml' } }
  },
  read(response) {
    if (/unusual traffic|\/sorry\/|consent\.google\./i.test(startOfPage(response.body)))
      throw new ProviderFailure('blocked', 'Google News wants proof of a human or of consent')
    return normalizeResults(
      readFeed(response, 'Google News').map(({ link, texts }) => {
        const [title, source] = [texts.get('title') ?? '', texts.get('source') ?? '']
        const end = ` - ${source}`
        return {
          url: link,
          title: source !== '' && title.endsWith(end) ? title.slice(0, -end.length) : title,
          // The description repeats the title as a link.
          text: source,
          publishedAt: dateOf(texts.get('pubdate')),
        }
      }),
    )
  },
}

/** Empty for a feed, whose articles may mention such terms. */
function startOfPage(body: string): string {
  return /^\s*<(?:!doctype html|html)/i.test(body.slice(0, 200)) ? body.slice(0, 20_000) : ''
}

const [hourMs, dayMs] = [3_600_000, 86_400_000]

/** The time zone of these operators is undocumented, so the range gets one more day at each end. */
function writeDates({ from, to }: TimeRange, now: number): string[] {
  if (from !== undefined && to === undefined && now - from <= 2 * dayMs)
    return [`when:${Math.max(1, Math.ceil((now - from) / hourMs))}h`]
  return [
    ...(from === undefined ? [] : [`after:${dayOf(from - dayMs)}`]),
    ...(to === undefined ? [] : [`before:${dayOf(to + dayMs)}`]),
  ]
}

/** Countries with Latin American Spanish. */
const latinAmerica = ['AR', 'CL', 'CO', 'CU', 'MX', 'PE', 'US', 'VE']

/** If the country or the language is missing, uses the default for the other. */
function getEdition({ country, language }: ProviderRequest) {
  const locale = new Intl.Locale(
    `${toValidCode(language, 'und')}${country ? `-${toValidCode(country, 'US')}` : ''}`,
  )
  const { language: editionLanguage, region = 'US' } = locale.maximize()
  const edition = { gl: region, hl: `${editionLanguage}-${region}`, ceid: `${region}:${editionLanguage}` }
  if (editionLanguage === 'zh')
    return { ...edition, ceid: `${region}:zh-${region === 'CN' ? 'Hans' : 'Hant'}` }
  if (editionLanguage === 'pt' && region === 'BR') return { ...edition, ceid: 'BR:pt-419' }
  if (editionLanguage !== 'es' || !latinAmerica.includes(region)) return edition
  return { ...edition, hl: 'es-419', ceid: `${region}:es-419` }
}

function toValidCode(code: string | undefined, fallback: string): string {
  return code !== undefined && /^[a-z]{2,3}$/i.test(code) ? code : fallback
}
