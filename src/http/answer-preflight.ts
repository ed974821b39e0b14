import type { FastifyReply } from 'fastify'
import { openToPages } from './open-to-pages.ts'

/** What browsers ask before they call from a page of another site. */
export function answerPreflight(reply: FastifyReply): FastifyReply {
  return reply
    .headers({
      ...openToPages,
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers':
        'authorization, content-type, x-idempotency-key, x-request-id, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name',
      'access-control-max-age': '86400',
    })
    .code(204)
    .send()
}
