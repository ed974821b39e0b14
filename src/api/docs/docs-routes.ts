import { readFileSync } from 'node:fs'
import { escapeAttribute, escapeText } from 'entities'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type {
  DocsSearchHit,
  Documentation,
  OutlineGroup,
} from '../../features/documentation/documentation.ts'
import { AppError } from '../../platform/errors.ts'
import { lazy } from '../../platform/functions.ts'
import { Permits } from '../../platform/permits.ts'
import { nextTurn } from '../../platform/time-slice.ts'
import type { ClientAddress } from '../connections/client-address.ts'
import { createDisconnectSignal } from '../connections/open-connections.ts'

type Contents = readonly { title: string; anchor: string }[]

interface PageContent {
  title: string
  main: string
  url?: string
  question?: string
  contents?: Contents
}

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='7' fill='%230f6b5c'/%3E%3Cpath d='M6 10l5 13 5-10 5 10 5-13' fill='none' stroke='%23fff' stroke-width='3'/%3E%3C/svg%3E"

function renderSearchPage(question: string, hits: readonly DocsSearchHit[], deps: DocsDeps): string {
  const noHits =
    '<p>No page has enough of these words. Ask with the names of options, settings or errors, or look at the <a href="/docs/reference">reference</a>.</p>'
  const list = hits.length === 0 ? noHits : `<ol class="found">${hits.map(renderHit).join('')}</ol>`
  const main = `<h1>${question === '' ? 'Search' : `Search: ${escapeText(question)}`}</h1>${question === '' ? '' : list}`
  return renderPage({ title: 'Search', question, main }, deps)
}

const notFoundPage = {
  title: 'Not found',
  main: '<h1>There is no such page</h1><p>Search for it above, or look at the <a href="/docs">list of pages</a>.</p>',
}

function renderHit({ title, headings, url, passage }: DocsSearchHit): string {
  const breadcrumb = headings.length === 0 ? '' : `<p class="quiet">${escapeText(headings.join(' › '))}</p>`
  return `<li><a href="${escapeAttribute(url)}">${escapeText(title)}</a>${breadcrumb}<p>${escapeText(passage)}</p></li>`
}

function renderPage(
  { title, url, question = '', main, contents = [] }: PageContent,
  { docs, hasConsole }: DocsDeps,
): string {
  const markdown = url === undefined ? '' : `<link rel="alternate" type="text/markdown" href="${url}.md">`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(title)} · Winnow</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="/docs/docs.css">
${markdown}
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header>
<a class="name" href="/docs">Winnow</a>
<form action="/docs/find" role="search"><input type="search" name="q" value="${escapeAttribute(question)}" placeholder="Search ( / )" aria-label="Search the documentation" maxlength="200"></form>
<nav aria-label="Service"><a class="to-pages" href="#pages">Pages</a><a href="/docs/reference">Reference</a>${hasConsole ? '<a href="/console/">Console</a>' : ''}</nav>
</header>
<div class="columns">
<main id="main" tabindex="-1">
${main}
</main>
<nav class="pages" id="pages" aria-label="Pages">${docs
    .outline()
    .map((group) => renderGroup(group, url))
    .join('')}</nav>
${renderContents(contents)}
</div>
<script src="/docs/docs.js"></script>
</body>
</html>
`
}

function renderGroup({ title, entries }: OutlineGroup, current: string | undefined): string {
  const items = entries.map(({ page, title: name }) => {
    const state = page.url === current ? ' aria-current="page"' : ''
    return `<li><a href="${escapeAttribute(page.url)}"${state}>${escapeText(name)}</a></li>`
  })
  return `<h2>${escapeText(title)}</h2><ul>${items.join('')}</ul>`
}

function renderContents(contents: Contents): string {
  if (contents.length < 2) return ''
  const items = contents.map(
    ({ title, anchor }) => `<li><a href="#${escapeAttribute(anchor)}">${escapeText(title)}</a></li>`,
  )
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></nav>`
}

export interface DocsDeps {
  docs: Documentation
  publicUrl: () => string
  hasConsole: boolean
  clientAddress: ClientAddress
}

const maxQuestionLength = 200
/** A search takes milliseconds of the main thread without a key, so it runs alone, in turns by address. */
const maxConcurrentSearches = 1
/** Waiting searches hold connections, so one address must not take all of MAX_CONNECTIONS. */
const maxSearchesPerAddress = 200

export function addDocsRoutes(fastify: FastifyInstance, deps: DocsDeps): void {
  const { docs, publicUrl } = deps
  fastify.get('/llms.txt', (_, reply) => sendText(reply, docs.llms(publicUrl()), 'text/plain'))
  fastify.get('/llms-full.txt', (_, reply) => sendText(reply, docs.llmsFull(publicUrl()), 'text/plain'))
  addAssets(fastify)
  fastify.get('/docs/find', createSearchHandler(deps))
  fastify.get<{ Params: { name: string } }>('/docs/pictures/:name', (request, reply) => {
    const image = docs.picture(request.params.name)
    if (!image) throw new AppError('ROUTE_NOT_FOUND')
    return reply.headers({ ...commonHeaders, 'content-type': 'image/png' }).send(image)
  })
  fastify.get('/docs', (_, reply) => sendPage(reply, deps, '/docs'))
  fastify.get('/docs.md', (_, reply) => sendMarkdown(reply, docs, '/docs'))
  fastify.get<{ Params: { '*': string } }>('/docs/*', (request, reply) => {
    const url = `/docs/${request.params['*'].replace(/\/$/, '')}`
    if (url.endsWith('.md')) return sendMarkdown(reply, docs, url.slice(0, -'.md'.length))
    return sendPage(reply, deps, url)
  })
}

function createSearchHandler(deps: DocsDeps) {
  const { docs, clientAddress } = deps
  const searchPermits = new Permits({ count: maxConcurrentSearches })
  const perAddress = new Permits({ count: Number.POSITIVE_INFINITY, perTeam: maxSearchesPerAddress })
  const find = (question: string, address: string, signal: AbortSignal) => {
    const owner = { team: address }
    const search = async () => {
      // Yields first: otherwise pending searches would run back to back before any other request is read.
      await nextTurn()
      return docs.find(question)
    }
    const pending = perAddress.tryRun(owner, () => searchPermits.run(owner, signal, search))
    if (pending) return pending
    const message = `Too many searches of the documentation from this address are waiting (${maxSearchesPerAddress}). Try again in a second.`
    throw new AppError('RATE_LIMITED', { retryAfter: 1 }, { message })
  }
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { q } = request.query as { q?: unknown }
    const question = (typeof q === 'string' ? q : '').trim().slice(0, maxQuestionLength)
    const hits =
      question === '' ? [] : await find(question, clientAddress(request.raw), createDisconnectSignal(reply))
    return sendHtml(reply, renderSearchPage(question, hits, deps))
  }
}

function sendPage(reply: FastifyReply, deps: DocsDeps, url: string): FastifyReply {
  const page = deps.docs.page(url)
  return page
    ? sendHtml(reply, renderPage({ ...page, main: page.html }, deps))
    : sendHtml(reply.code(404), renderPage(notFoundPage, deps))
}

function sendMarkdown(reply: FastifyReply, docs: Documentation, url: string): FastifyReply {
  const markdown = docs.markdown(url)
  if (markdown === undefined) throw new AppError('ROUTE_NOT_FOUND')
  return sendText(reply, markdown, 'text/markdown')
}

const commonHeaders = { 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' }

function sendText(reply: FastifyReply, text: string, mediaType: string): FastifyReply {
  return reply.headers({ ...commonHeaders, 'content-type': `${mediaType}; charset=utf-8` }).send(text)
}

function sendHtml(reply: FastifyReply, html: string): FastifyReply {
  const headers = { 'content-security-policy': contentSecurityPolicy, 'referrer-policy': 'no-referrer' }
  return sendText(reply.headers(headers), html, 'text/html')
}

const assets = [
  { name: 'docs.css', files: ['text.css', 'layout.css'], mediaType: 'text/css' },
  { name: 'docs.js', files: ['docs.js'], mediaType: 'text/javascript' },
]

function addAssets(fastify: FastifyInstance): void {
  for (const { name, files, mediaType } of assets) {
    const text = lazy(() =>
      files.map((file) => readFileSync(new URL(file, import.meta.url), 'utf8')).join('\n'),
    )
    fastify.get(`/docs/${name}`, (_, reply) => sendText(reply, text(), mediaType))
  }
}

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')
