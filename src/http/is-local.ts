import type { FastifyRequest } from 'fastify'
import { isForwarded, peerAddress } from './client-address.ts'

/** True if the request comes from this machine itself. A request that a proxy passed on is never local, whatever it names. */
export function isLocal(request: FastifyRequest): boolean {
  const peer = peerAddress(request.socket)
  return (peer === '::1' || peer.startsWith('127.')) && !isForwarded(request.headers)
}
