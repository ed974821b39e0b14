import { arxiv } from '../../src/search/providers/arxiv.ts'
import { crossref } from '../../src/search/providers/crossref.ts'
import { duckduckgo } from '../../src/search/providers/duckduckgo.ts'
import { gdelt } from '../../src/search/providers/gdelt.ts'
import { github, githubIssues } from '../../src/search/providers/github.ts'
import { googleNews } from '../../src/search/providers/google-news.ts'
import { openalex } from '../../src/search/providers/openalex.ts'
import { openverse } from '../../src/search/providers/openverse.ts'
import type { ProviderResult, SearchProvider } from '../../src/search/providers/provider.ts'
import { wikimediaCommons } from '../../src/search/providers/wikimedia-commons.ts'
import { wikipedia } from '../../src/search/providers/wikipedia.ts'

/** A response of a provider as its documentation shows it, and the results to read from it. */
export interface Sample {
  provider: SearchProvider
  answer: string
  results: ProviderResult[]
  empty: string
  /** Well-formed response with an unknown structure. */
  changed: string
}

export const feed = (...entries: string[]) =>
  `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>q</title>${entries.join('')}</feed>`
const rss = (...items: string[]) =>
  `<rss version="2.0"><channel><title>q</title>${items.join('')}</channel></rss>`
export const page = (inside: string) =>
  `<!DOCTYPE html><html><head><title>no results at DuckDuckGo</title></head><body>${inside}</body></html>`
const link = (target: string) => `//duckduckgo.com/l/?uddg=${encodeURIComponent(target)}&amp;rut=1`
const webResult = (target: string, kind = 'web-result') =>
  `<div class="result results_links ${kind} "><h2 class="result__title"><a class="result__a" href="${link(target)}">Tea &amp; <b>time</b></a></h2>
  <div class="result__extras__url"><a class="result__url">a.example</a><span>&nbsp; 2026-01-02T03:04:05.0000000</span></div>
  <a class="result__snippet">All  about <b>tea</b>.</a></div>`
const wiki = (...search: object[]) => JSON.stringify({ batchcomplete: true, query: { search } })

export const samples: Sample[] = [
  {
    provider: duckduckgo,
    answer: page(
      `<div id="links" class="results">${webResult('https://duckduckgo.com/y.js?ad_domain=x', 'result--ad')}${webResult('https://a.example/?q=1&r=2')}${webResult('https://duckduckgo.com/y.js?ad=1')}${webResult('ftp://b.example/')}</div>`,
    ),
    results: [
      {
        ...{ url: 'https://a.example/?q=1&r=2', title: 'Tea & time', text: 'All about tea.' },
        publishedAt: Date.UTC(2026, 0, 2, 3, 4, 5),
      },
    ],
    empty: page(
      '<div id="links"><div class="result result--no-result"><div class="no-results">No results.</div></div></div>',
    ),
    changed: page('<main><article>Tea</article></main>'),
  },
  {
    provider: wikipedia,
    answer: wiki({
      title: 'Green tea',
      snippet: '<span class="searchmatch">Tea</span>s &amp; <b>x</b>',
      timestamp: '2026-01-02T00:00:00Z',
      more: 1,
    }),
    results: [
      {
        ...{ url: 'https://en.wikipedia.org/wiki/Green_tea', title: 'Green tea', text: 'Teas & x' },
        publishedAt: Date.UTC(2026, 0, 2),
      },
    ],
    empty: wiki(),
    changed: '{"batchcomplete":true}',
  },
  {
    provider: github,
    answer: JSON.stringify({
      items: [
        {
          html_url: 'https://github.com/a/b',
          full_name: 'a/b',
          description: null,
          pushed_at: '2026-01-02T00:00:00Z',
        },
      ],
    }),
    results: [{ url: 'https://github.com/a/b', title: 'a/b', text: '', publishedAt: Date.UTC(2026, 0, 2) }],
    empty: '{"total_count":0,"items":[]}',
    changed: '{"repositories":[]}',
  },
  {
    provider: githubIssues,
    answer: JSON.stringify({
      items: [{ html_url: 'https://github.com/a/b/issues/1', title: 'Cold', body: 'Too\ncold' }],
    }),
    results: [{ url: 'https://github.com/a/b/issues/1', title: 'Cold', text: 'Too cold' }],
    empty: '{"total_count":0,"items":[]}',
    changed: '{"items":[{"name":"x"}]}',
  },
  {
    provider: arxiv,
    answer: feed(
      `<entry><id>http://arxiv.org/abs/2601.1v1</id><title>On
   Tea</title><published>2026-01-02T00:00:00Z</published><summary>a &lt; b</summary><author><name>A</name></author>
   <link title="pdf" href="https://arxiv.org/pdf/2601.1v1" rel="related"/><link href="https://arxiv.org/abs/2601.1v1" rel="alternate"/></entry>`,
    ),
    results: [
      {
        url: 'https://arxiv.org/abs/2601.1v1',
        title: 'On Tea',
        text: 'a < b',
        publishedAt: Date.UTC(2026, 0, 2),
      },
    ],
    empty: feed(),
    changed: '<opensearch><entry/></opensearch>',
  },
  {
    provider: crossref,
    answer: JSON.stringify({
      status: 'ok',
      message: {
        items: [
          {
            DOI: '10.1/a',
            title: ['Tea'],
            abstract: '<jats:p>Hot H<jats:sub>2</jats:sub>O</jats:p>',
            issued: { 'date-parts': [[2026, 2]] },
          },
          { DOI: '10.1/b', URL: 'https://doi.org/10.1/b', issued: { 'date-parts': [[null]] } },
        ],
      },
    }),
    results: [
      { url: 'https://doi.org/10.1/a', title: 'Tea', text: 'Hot H2O', publishedAt: Date.UTC(2026, 1) },
      { url: 'https://doi.org/10.1/b', title: '10.1/b', text: '' },
    ],
    empty: '{"status":"ok","message":{"items":[]}}',
    changed: '{"status":"ok","message":{"total-results":3}}',
  },
  {
    provider: openalex,
    answer: JSON.stringify({
      results: [
        {
          ...{
            id: 'https://openalex.org/W1',
            doi: 'https://doi.org/10.1/a',
            display_name: 'Tea',
            publication_date: '2026-01-02',
          },
          ...{
            primary_location: { landing_page_url: null },
            abstract_inverted_index: { is: [1], Tea: [0, 3], hot: [2], far: [1e9] },
          },
        },
      ],
    }),
    results: [
      {
        url: 'https://doi.org/10.1/a',
        title: 'Tea',
        text: 'Tea is hot Tea',
        publishedAt: Date.UTC(2026, 0, 2),
      },
    ],
    empty: '{"meta":{"count":0},"results":[]}',
    changed: '{"meta":{"count":0}}',
  },
  {
    provider: openverse,
    answer: JSON.stringify({
      results: [
        {
          title: null,
          url: 'https://i.example/a.jpg',
          foreign_landing_url: 'https://i.example/a',
          attribution: 'by A',
          width: 40,
          height: null,
        },
        { title: 'None', url: 'https://i.example/b.jpg', foreign_landing_url: null },
      ],
    }),
    results: [
      {
        ...{ url: 'https://i.example/a', title: 'https://i.example/a', text: 'by A' },
        ...{ imageUrl: 'https://i.example/a.jpg', imageWidth: 40 },
      },
    ],
    empty: '{"result_count":0,"results":[]}',
    changed: '{"result_count":0}',
  },
  {
    provider: wikimediaCommons,
    answer: JSON.stringify({
      query: {
        pages: [
          {
            title: 'File:Second.png',
            index: 2,
            imageinfo: [
              { url: 'https://u.example/2.png', descriptionurl: 'https://c.example/2', extmetadata: [] },
            ],
          },
          {
            ...{ title: 'File:A cup: tea.jpg', index: 1 },
            imageinfo: [
              {
                ...{
                  url: 'https://u.example/1.jpg',
                  descriptionurl: 'https://c.example/1',
                  width: 30,
                  height: 20,
                },
                ...{
                  timestamp: '2026-01-02T00:00:00Z',
                  extmetadata: { ImageDescription: { value: '<p>A <b>cup</b></p>' } },
                },
              },
            ],
          },
        ],
      },
    }),
    results: [
      {
        ...{
          url: 'https://c.example/1',
          title: 'A cup: tea',
          text: 'A cup',
          publishedAt: Date.UTC(2026, 0, 2),
        },
        ...{ imageUrl: 'https://u.example/1.jpg', imageWidth: 30, imageHeight: 20 },
      },
      { url: 'https://c.example/2', title: 'Second', text: '', imageUrl: 'https://u.example/2.png' },
    ],
    empty: '{"batchcomplete":true}',
    changed: '{"query":{"files":[]}}',
  },
  {
    provider: gdelt,
    answer:
      '{"articles":[{"url":"https://n.example/1","title":"Tea \\d \t\\"up\\"","seendate":"20260102T031500Z","socialimage":""}]}',
    results: [
      {
        url: 'https://n.example/1',
        title: 'Tea \\d "up"',
        text: '',
        publishedAt: Date.UTC(2026, 0, 2, 3, 15),
      },
    ],
    empty: '{}',
    changed: '{"timeline":[]}',
  },
  {
    provider: googleNews,
    answer: rss(
      '<item><title>Tea is up - The Leaf</title><link>https://news.google.com/rss/articles/x?oc=5</link><pubDate>Fri, 02 Jan 2026 00:00:00 GMT</pubDate><description>&lt;a href="x"&gt;Tea&lt;/a&gt;</description><source url="https://l.example">The Leaf</source></item>',
    ),
    results: [
      {
        ...{ url: 'https://news.google.com/rss/articles/x?oc=5', title: 'Tea is up', text: 'The Leaf' },
        publishedAt: Date.UTC(2026, 0, 2),
      },
    ],
    empty: rss(),
    changed: '<html><body>News</body></html>',
  },
]
