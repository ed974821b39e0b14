import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../base/errors.ts'
import { once } from '../../base/once.ts'
import { Permits } from '../../base/permits.ts'
import type { Documentation } from '../../features/documentation/documentation.ts'
import type { ClientAddress } from '../client-address.ts'
import { goneSignal } from '../gone-signal.ts'
import { docsPage, foundPage, missingPage } from './docs-page.ts'

export interface DocsNeeds {
  docs: Documentation
  publicUrl: () => string
  hasConsole: boolean
  clientAddress: ClientAddress
}

/** Longer questions are cut: the field takes no more. */
const mostAsked = 200
/** A search takes some milliseconds of the main thread and needs no key: addresses take turns. */
const maxSearches = 1
/** Searches of one address that wait or run. Their connections are in use, so they must not take all of MAX_CONNECTIONS. */
const maxSearchesOfAddress = 200

/** The documentation as pages to read, with search, and as text for language models. */
export function addDocsRoutes(fastify: FastifyInstance, needs: DocsNeeds): void {
  const { docs, publicUrl } = needs
  const texts = { llms: () => docs.llms(publicUrl()), full: () => docs.llmsFull(publicUrl()) }
  fastify.get('/llms.txt', (_, reply) => sendText(reply, texts.llms(), 'text/plain'))
  fastify.get('/llms-full.txt', (_, reply) => sendText(reply, texts.full(), 'text/plain'))
  addAssets(fastify)
  fastify.get('/docs/find', finder(needs))
  fastify.get<{ Params: { name: string } }>('/docs/pictures/:name', (request, reply) => {
    const picture = docs.picture(request.params.name)
    if (!picture) throw new AppError('ROUTE_NOT_FOUND')
    return reply.headers({ ...fixed, 'content-type': 'image/png' }).send(picture)
  })
  fastify.get('/docs', (_, reply) => sendPage(reply, needs, '/docs'))
  fastify.get('/docs.md', (_, reply) => sendMarkdown(reply, docs, '/docs'))
  fastify.get<{ Params: { '*': string } }>('/docs/*', (request, reply) => {
    const url = `/docs/${request.params['*'].replace(/\/$/, '')}`
    if (url.endsWith('.md')) return sendMarkdown(reply, docs, url.slice(0, -'.md'.length))
    return sendPage(reply, needs, url)
  })
}

function finder({ docs, hasConsole, clientAddress }: DocsNeeds) {
  const running = new Permits({ count: maxSearches })
  const known = new Permits({ count: Number.POSITIVE_INFINITY, perTeam: maxSearchesOfAddress })
  const find = (question: string, address: string, signal: AbortSignal) => {
    const owner = { team: address }
    const found = known.tryRun(owner, () => running.run(owner, signal, async () => docs.find(question)))
    if (!found) throw tooManySearches()
    return found
  }
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { q } = request.query as { q?: unknown }
    const question = (typeof q === 'string' ? q : '').trim().slice(0, mostAsked)
    const found = question === '' ? [] : await find(question, clientAddress(request.raw), goneSignal(reply))
    return sendHtml(reply, foundPage(question, found, { outline: docs.outline(), hasConsole }))
  }
}

function tooManySearches(): AppError {
  const message = `Too many searches of the documentation from this address are waiting (${maxSearchesOfAddress}). Try again in a second.`
  return new AppError('RATE_LIMITED', { retryAfter: 1 }, { message })
}

function sendPage(reply: FastifyReply, { docs, hasConsole }: DocsNeeds, url: string): FastifyReply {
  const page = docs.page(url)
  const frame = { outline: docs.outline(), hasConsole }
  return page ? sendHtml(reply, docsPage(page, frame)) : sendHtml(reply.code(404), missingPage(frame))
}

function sendMarkdown(reply: FastifyReply, docs: Documentation, url: string): FastifyReply {
  const markdown = docs.markdown(url)
  if (markdown === undefined) throw new AppError('ROUTE_NOT_FOUND')
  return sendText(reply, markdown, 'text/markdown')
}

const fixed = { 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' }

function sendText(reply: FastifyReply, text: string, mediaType: string): FastifyReply {
  return reply.headers({ ...fixed, 'content-type': `${mediaType}; charset=utf-8` }).send(text)
}

function sendHtml(reply: FastifyReply, html: string): FastifyReply {
  const headers = { 'content-security-policy': policy, 'referrer-policy': 'no-referrer' }
  return sendText(reply.headers(headers), html, 'text/html')
}

const assets = [
  { name: 'docs.css', files: ['text.css', 'layout.css'], mediaType: 'text/css' },
  { name: 'docs.js', files: ['docs.js'], mediaType: 'text/javascript' },
]

function addAssets(fastify: FastifyInstance): void {
  for (const { name, files, mediaType } of assets) {
    const text = once(() =>
      files.map((file) => readFileSync(new URL(file, import.meta.url), 'utf8')).join('\n'),
    )
    fastify.get(`/docs/${name}`, (_, reply) => sendText(reply, text(), mediaType))
  }
}

/** Nothing is asked of anyone else; the form leads to the search. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')
