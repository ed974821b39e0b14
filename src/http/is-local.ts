import type { FastifyRequest } from 'fastify'

/** From this machine itself; a proxy on this machine speaks for someone else and says so. */
export function isLocal(request: FastifyRequest): boolean {
  const peer = request.socket.remoteAddress ?? ''
  const isLoopback = peer === '::1' || /^(::ffff:)?127\./.test(peer)
  return (
    isLoopback && request.headers['x-forwarded-for'] === undefined && request.headers.forwarded === undefined
  )
}
