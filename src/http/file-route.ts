import type { FastifyInstance } from 'fastify'
import type { App } from '../app.ts'

/** Files behind signed addresses: no key, since browsers and language models follow them as they stand. */
export function addFileRoute(fastify: FastifyInstance, app: App): void {
  fastify.get<{ Params: { id: string }; Querystring: { expires?: string; signature?: string } }>(
    '/v2/files/:id',
    async (request, reply) => {
      const { expires = '', signature = '' } = request.query
      const file = await app.readFile(request.params.id, expires, signature)
      return (
        reply
          .type(file.mediaType)
          // What a stranger's page produced is shown as what it is, and runs nothing here.
          .header('x-content-type-options', 'nosniff')
          .header('content-security-policy', "default-src 'none'; sandbox")
          .header('cache-control', 'private, max-age=3600')
          .send(Buffer.from(file.bytes))
      )
    },
  )
}
