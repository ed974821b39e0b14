import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv4 } from 'node:net'
import { type Answer, decode, encode } from 'dns-packet'

export interface DnsServer {
  /** Address in the format of the setting DNS_SERVERS. */
  address: string
  /** Returns the number of address lookups of a name. */
  lookups(name: string): number
  stop(): Promise<void>
}

/** Returns the addresses of a name at its n-th lookup, counted from one; undefined if the name does not exist. */
export type Zone = (name: string, lookup: number) => string[] | undefined

/** Starts a real name server on a free port of 127.0.0.1. Its TTL is 0, so that the addresses can change. */
export async function startDns(zone: Zone): Promise<DnsServer> {
  const lookups = new Map<string, number>()
  const socket = createSocket('udp4')
  socket.on('message', (bytes, from) => {
    const { id, questions = [] } = decode(bytes)
    const [question] = questions
    if (!question) return
    const name = question.name.toLowerCase()
    // Clients request A and AAAA records concurrently; both together count as one lookup.
    if (question.type === 'A') lookups.set(name, (lookups.get(name) ?? 0) + 1)
    const addresses = zone(name, Math.max(1, lookups.get(name) ?? 0))
    const answers = (addresses ?? []).flatMap((address): Answer[] => {
      const type = isIPv4(address) ? 'A' : 'AAAA'
      return type === question.type ? [{ type, name: question.name, ttl: 0, data: address }] : []
    })
    // Code 3 is NXDOMAIN: the name does not exist.
    const flags = 0x0180 | (addresses ? 0 : 3)
    socket.send(encode({ type: 'response', id: id ?? 0, flags, questions, answers }), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    lookups: (name) => lookups.get(name) ?? 0,
    async stop() {
      socket.close()
      await once(socket, 'close')
    },
  }
}
