import { z } from 'zod'
import type { Query } from '../query/query.ts'
import { plainWords, webDialect, writeQuery } from '../query/write-query.ts'
import { arxiv } from './arxiv.ts'
import { brave } from './brave.ts'
import { callAddress, fitQuery, getJson, googleTbs, neededKey, refuseKnown } from './calls.ts'
import { crossref } from './crossref.ts'
import { duckduckgo } from './duckduckgo.ts'
import { gdelt } from './gdelt.ts'
import { generic } from './generic.ts'
import { github, githubIssues } from './github.ts'
import { google } from './google.ts'
import { googleNews } from './google-news.ts'
import { openalex } from './openalex.ts'
import { openverse } from './openverse.ts'
import {
  type ProviderAnswer,
  ProviderFailure,
  type ProviderRequest,
  type SearchProvider,
  type SearchSource,
} from './provider.ts'
import { dateOf, readJsonAnswer } from './read-answer.ts'
import {
  type GivenResult,
  keepResults,
  maybeNumber,
  maybeText,
  resultsOf,
  withoutTags,
} from './results-of.ts'
import { searxng } from './searxng.ts'
import { tavily } from './tavily.ts'
import { mediaWikiError, refuseMediaWikiError, wikimediaCommons } from './wikimedia-commons.ts'

const page = z.object({
  link: z.string(),
  title: z.string(),
  snippet: maybeText,
  date: maybeText,
  imageUrl: maybeText,
})
const image = z.object({
  link: z.string(),
  title: maybeText,
  imageUrl: maybeText,
  imageWidth: maybeNumber,
  imageHeight: maybeNumber,
})
const webShape = z.object({ organic: z.array(page) })
const newsShape = z.object({ news: z.array(page) })
const imagesShape = z.object({ images: z.array(image) })

const paths = { web: '/search', images: '/images', news: '/news' }

export const serper: SearchProvider = {
  name: 'serper',
  description: 'Results of Google for the web, images and news, by Serper.dev.',
  base: 'https://google.serper.dev',
  needs: 'key',
  serves: ['web', 'images', 'news'],
  abilities: {
    dialect: webDialect,
    ...{ dates: 'any', sortsByDate: true, country: true, language: true, location: true },
  },
  pauseMs: 20,
  mostResults: 100,
  call(request, place) {
    const { source, range, country, language, location, most, now } = request
    return {
      method: 'POST',
      url: callAddress(place, paths[source]),
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'x-api-key': neededKey(place, 'Serper'),
      },
      body: JSON.stringify({
        q: googleText(request),
        num: Math.min(most, 100),
        gl: country?.toLowerCase(),
        hl: language,
        location,
        tbs: googleTbs(range, now),
        // A corrected query would bring results for words that were not asked for.
        autocorrect: false,
      }),
    }
  },
  read(answer, request) {
    refuseKnown(answer, [
      {
        status: 403,
        says: 'Unauthorized',
        problem: 'unauthorized',
        message: 'Serper does not accept the key',
      },
      {
        status: 400,
        says: 'Not enough credits',
        problem: 'rate-limited',
        message: 'Serper has no credits left',
      },
    ])
    return keepResults(givenBy(answer, request.source), request, 'Serper')
  },
}

function googleText({ source, query }: Pick<ProviderRequest, 'source' | 'query'>): string {
  const hasSizes = source === 'images' && !asksForLarger(query)
  return writeQuery(query, { ...webDialect, hasSizes }).text
}

// Google knows `imagesize:`, and takes `larger:` for a word.
function asksForLarger({ clauses }: Query): boolean {
  return clauses.some(({ terms }) => terms.some((term) => term.kind === 'size' && term.name === 'larger'))
}

function givenBy(answer: ProviderAnswer, source: SearchSource): GivenResult[] {
  if (source === 'images') {
    return readJsonAnswer(answer, imagesShape, 'Serper').images.map(({ link, ...rest }) => ({
      url: link,
      ...rest,
    }))
  }
  const pages =
    source === 'news'
      ? readJsonAnswer(answer, newsShape, 'Serper').news
      : readJsonAnswer(answer, webShape, 'Serper').organic
  return pages.map(({ link, title, snippet, date, imageUrl }) => ({
    ...{ url: link, title, text: snippet, date, imageUrl },
  }))
}

const answerShape = z.object({
  error: mediaWikiError,
  query: z
    .object({
      search: z.array(z.object({ title: z.string(), snippet: z.string(), timestamp: z.string().optional() })),
    })
    .optional(),
})

const dialect = { ...plainWords, operators: ['intitle'], hasPhrases: true, hasMinus: true } as const

export const wikipedia: SearchProvider = {
  name: 'wikipedia',
  description: 'Articles of Wikipedia in the language of the search, by the API of the Wikimedia Foundation.',
  serves: ['web'],
  base: 'https://{language}.wikipedia.org',
  needs: 'nothing',
  abilities: {
    dialect,
    ...{ dates: 'none', sortsByDate: false, country: false, language: true, location: false },
  },
  pauseMs: 200,
  mostResults: 50,
  call({ query, most, language }, { base }) {
    return getJson({ base: base.replace('{language}', editionOf(language)) }, '/w/api.php', {
      action: 'query',
      list: 'search',
      format: 'json',
      formatversion: '2',
      srprop: 'snippet|timestamp',
      srsearch: fitQuery(writeQuery(query, dialect).text, 300),
      srlimit: String(Math.min(most, 50)),
    })
  },
  read(answer, { language }) {
    const { query, error } = readJsonAnswer(answer, answerShape, 'Wikipedia')
    refuseMediaWikiError(error, 'Wikipedia')
    if (!query) throw new ProviderFailure('changed', 'Wikipedia answered without a list of results')
    return resultsOf(
      query.search.map(({ title, snippet, timestamp }) => ({
        url: `https://${editionOf(language)}.wikipedia.org/wiki/${encodeURIComponent(title.replaceAll(' ', '_'))}`,
        title,
        text: withoutTags(snippet),
        publishedAt: dateOf(timestamp),
      })),
    )
  },
}

/** The name of an edition is part of the host, so nothing but a code may get there. */
function editionOf(language = 'en'): string {
  return /^[a-z]{2,3}$/.test(language) ? language : 'en'
}

/** Every provider, one line each: those of the operator first, then those that need no key. */
export const providers: readonly SearchProvider[] = [
  searxng,
  brave,
  serper,
  google,
  tavily,
  generic,
  duckduckgo,
  github,
  githubIssues,
  arxiv,
  crossref,
  openalex,
  openverse,
  wikimediaCommons,
  gdelt,
  googleNews,
  wikipedia,
]
