import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface KnownPaper {
  arxiv: string | undefined
  doi: string
  openalex: string
  pmid: string
  title: string
  abstract: string
  authors: string[]
  categories: string[]
  date: string
}

/** Papers that the simulated catalogues contain. */
const papers: KnownPaper[] = [
  {
    ...{ arxiv: '2401.00001', doi: '10.5555/tide.1', openalex: 'W1', pmid: '101' },
    title: 'Forecasting the tide with small models',
    abstract: 'We forecast the tide of a harbour from wind and pressure.',
    authors: ['Ada Moss', 'Ben Reed'],
    categories: ['physics.ao-ph', 'cs.LG'],
    date: '2024-01-02',
  },
  {
    ...{ arxiv: '2402.00002', doi: '10.5555/tide.2', openalex: 'W2', pmid: '102' },
    title: 'A survey of harbours and their tides',
    abstract: 'Harbours are compared by their tides.',
    authors: ['Cleo Marsh'],
    categories: ['physics.ao-ph'],
    date: '2024-02-03',
  },
  {
    ...{ arxiv: undefined, doi: '10.5555/wind.3', openalex: 'W3', pmid: '103' },
    title: 'Wind pressure on old bridges',
    abstract: 'Bridges move in the wind.',
    authors: ['Ada Moss'],
    categories: [],
    date: '2023-05-06',
  },
]

export interface StandInAnswer {
  status: number
  body: string
}

/** Responds as arXiv, OpenAlex, Crossref and GitHub document it, each under its own path. */
export function answerAsProvider(url: URL): StandInAnswer {
  const [, name = '', ...path] = url.pathname.split('/')
  const response = responders[name]?.(`/${path.join('/')}`, url.searchParams)
  return response ?? { status: 404, body: '{"error":"not found"}' }
}

const responders: Record<string, (path: string, query: URLSearchParams) => StandInAnswer | undefined> = {
  arxiv: (_, query) => atom(papers.filter((paper) => paper.arxiv && isInArxiv(paper, query))),
  openalex: (path, query) =>
    path === '/works'
      ? json({ meta: {}, results: inOpenalex(query).map(openalexWork) })
      : singlePaper(
          papers.find((paper) => names(paper).includes(decodeURIComponent(path.slice('/works/'.length)))),
          openalexWork,
        ),
  crossref: (path, query) =>
    path === '/works'
      ? json({
          status: 'ok',
          message: { items: byWords(query.get('query.bibliographic')).map(crossrefWork) },
        })
      : singlePaper(
          papers.find(({ doi }) => doi === decodeURIComponent(path.slice('/works/'.length))),
          (paper) => ({ status: 'ok', message: crossrefWork(paper) }),
        ),
  github: (path, query) => (path === '/search/repositories' ? repositories(query) : issues(query)),
}

function json(value: unknown): StandInAnswer {
  return { status: 200, body: JSON.stringify(value) }
}

function singlePaper(
  paper: KnownPaper | undefined,
  write: (paper: KnownPaper) => unknown,
): StandInAnswer | undefined {
  return paper && json(write(paper))
}

function names({ arxiv, doi, openalex, pmid }: KnownPaper): string[] {
  return [`doi:${doi}`, `pmid:${pmid}`, openalex, ...(arxiv ? [`doi:10.48550/arxiv.${arxiv}`] : [])]
}

function byWords(text: string | null): KnownPaper[] {
  const words = (text ?? '').toLowerCase().split(/\W+/).filter(Boolean)
  return papers.filter(({ title }) => words.some((word) => title.toLowerCase().includes(word)))
}

function isInArxiv({ arxiv, title, categories, authors }: KnownPaper, query: URLSearchParams): boolean {
  const id = query.get('id_list')
  if (id !== null) return id === arxiv
  const text = query.get('search_query') ?? ''
  const searchWords = [...text.matchAll(/all:([\w"]+)/g)].map(([, word = '']) => word.replaceAll('"', ''))
  const [, category] = /cat:([\w.-]+)/.exec(text) ?? []
  const [, author] = /au:"([^"]+)"/.exec(text) ?? []
  return (
    (category === undefined || categories.includes(category)) &&
    (author === undefined || authors.some((name) => name.includes(author))) &&
    searchWords.some((word) => title.toLowerCase().includes(word.toLowerCase()))
  )
}

function atom(matchingPapers: KnownPaper[]): StandInAnswer {
  const entries = matchingPapers.map(
    ({ arxiv, doi, title, abstract, authors, categories, date }) => `<entry>
    <id>http://arxiv.org/abs/${arxiv}v2</id><title>${title}</title><summary>${abstract}</summary>
    <published>${date}T00:00:00Z</published><updated>${date}T12:00:00Z</updated><arxiv:doi>${doi}</arxiv:doi>
    ${authors.map((name) => `<author><name>${name}</name></author>`).join('')}
    ${categories.map((term) => `<category term="${term}" scheme="http://arxiv.org/schemas/atom"/>`).join('')}
    <link href="https://arxiv.org/abs/${arxiv}v2" rel="alternate" type="text/html"/></entry>`,
  )
  const feed = `<feed xmlns="http://www.w3.org/2005/Atom"><title>q</title>${entries.join('')}</feed>`
  return { status: 200, body: `<?xml version="1.0"?>${feed}` }
}

function inOpenalex(query: URLSearchParams): KnownPaper[] {
  const filter = query.get('filter') ?? ''
  // Each paper is connected to all others.
  const [, related] = /^(?:cites|cited_by|related_to):(W\d+)$/.exec(filter) ?? []
  if (related !== undefined) return papers.filter(({ openalex }) => openalex !== related)
  const [, author] = /raw_author_name\.search:([^,]+)/.exec(filter) ?? []
  return byWords(query.get('search')).filter(
    ({ authors }) => author === undefined || authors.some((name) => name.includes(author)),
  )
}

function openalexWork({ openalex, doi, arxiv, pmid, title, abstract, authors, date }: KnownPaper) {
  const page = arxiv ? `https://arxiv.org/abs/${arxiv}` : `https://doi.org/${doi}`
  return {
    id: `https://openalex.org/${openalex}`,
    doi: `https://doi.org/${doi}`,
    display_name: title,
    publication_date: date,
    ids: { pmid: `https://pubmed.ncbi.nlm.nih.gov/${pmid}` },
    authorships: authors.map((name) => ({ author: { display_name: name } })),
    primary_location: { landing_page_url: page, pdf_url: null },
    best_oa_location: { landing_page_url: page, pdf_url: `${page}.pdf` },
    cited_by_count: 7,
    abstract_inverted_index: Object.fromEntries(abstract.split(' ').map((word, index) => [word, [index]])),
  }
}

function crossrefWork({ doi, title, authors, date }: KnownPaper) {
  return {
    DOI: doi,
    URL: `https://doi.org/${doi}`,
    title: [title],
    author: authors.map((name) => ({ given: name.split(' ')[0], family: name.split(' ')[1] })),
    issued: { 'date-parts': [date.split('-').map(Number)] },
  }
}

/** Returns the query in the text of an issue, so that tests see the query that GitHub received. */
function issues(query: URLSearchParams): StandInAnswer {
  const searchQuery = query.get('q') ?? ''
  if (searchQuery.includes('repo:no/where')) {
    const message = 'The listed users and repositories cannot be searched either because they do not exist.'
    return { status: 422, body: JSON.stringify({ message: 'Validation Failed', errors: [{ message }] }) }
  }
  const isPull = searchQuery.includes('is:pr')
  const issuePath = isPull ? 'pull/8' : 'issues/7'
  return json({
    total_count: 1,
    items: [
      {
        html_url: `https://github.com/sea/tide/${issuePath}`,
        title: isPull ? 'Retry on a lost connection' : 'Connection is lost at high tide',
        number: isPull ? 8 : 7,
        body: `It was asked: ${searchQuery}. The connection is lost after an hour. Nothing else is known.`,
        created_at: '2024-03-04T00:00:00Z',
      },
    ],
  })
}

function repositories(query: URLSearchParams): StandInAnswer {
  return json({
    total_count: 1,
    items: [
      {
        html_url: 'https://github.com/sea/tide',
        full_name: 'sea/tide',
        description: `Tide tables. It was asked: ${query.get('q')}`,
        pushed_at: '2024-03-04T00:00:00Z',
        license: { spdx_id: 'MIT' },
      },
    ],
  })
}

export interface SearchProviders {
  /** Value for SEARCH_URLS. */
  urls: string
  /** Requested paths. */
  requestsTo: string[]
  stop(): Promise<void>
}

/** Starts simulated open providers on one local server. */
export async function startSearchProviders(texts: { openUrl?: string } = {}): Promise<SearchProviders> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost')
    asked.push(url.pathname)
    const { status, body } = answerAsProvider(url)
    const responseBody =
      texts.openUrl === undefined
        ? body
        : body.replaceAll(/"pdf_url":"[^"]*"/g, `"pdf_url":"${texts.openUrl}"`)
    response.writeHead(status, { 'content-type': 'application/json' }).end(responseBody)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const base = `http://127.0.0.1:${port}`
  const paths = { arxiv: 'arxiv', openalex: 'openalex', crossref: 'crossref', github: 'github' }
  const urls = Object.entries({ ...paths, 'github-issues': 'github' }).map(
    ([name, path]) => `${name}=${base}/${path}`,
  )
  return {
    ...{ urls: urls.join(','), requestsTo: asked },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
