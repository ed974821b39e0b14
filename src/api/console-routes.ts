import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, sep } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { lazy } from '../platform/functions.ts'

export function addConsoleRoutes(fastify: FastifyInstance, folder: string): void {
  // Files are read on the first visit, because most processes never serve the console.
  const files = lazy(() => readFiles(folder))
  const sendPage = (request: FastifyRequest, reply: FastifyReply) => {
    const page = files().get('index.html')
    return page ? sendFile(request, reply, page) : reply.callNotFound()
  }
  fastify.get('/console', sendPage)
  fastify.get<{ Params: { '*': string } }>('/console/*', (request, reply) => {
    const name = request.params['*']
    const file = files().get(name)
    if (file) return sendFile(request, reply, file)
    return name.startsWith('assets/') ? reply.callNotFound() : sendPage(request, reply)
  })
}

const mediaTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
}

function readFiles(folder: string) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return new Map(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name)
      const name = path.slice(folder.length + 1).replaceAll(sep, '/')
      const plain = readFileSync(path)
      const mediaType = mediaTypes[extname(name)] ?? 'application/octet-stream'
      const isImmutable = name.startsWith('assets/')
      return [name, { mediaType, plain, gzipped: gzipSync(plain), isImmutable }] as const
    }),
  )
}

type ConsoleFile = NonNullable<ReturnType<ReturnType<typeof readFiles>['get']>>

function sendFile(request: FastifyRequest, reply: FastifyReply, file: ConsoleFile): FastifyReply {
  const acceptsGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
  return reply
    .type(file.mediaType)
    .headers({
      'cache-control': file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
      'content-security-policy': contentSecurityPolicy,
      'referrer-policy': 'no-referrer',
      vary: 'accept-encoding',
      'x-content-type-options': 'nosniff',
      ...(acceptsGzip ? { 'content-encoding': 'gzip' } : {}),
    })
    .send(acceptsGzip ? file.gzipped : file.plain)
}

/** Also applies to `about:srcdoc` frames, which show untrusted pages: they cannot run scripts. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
