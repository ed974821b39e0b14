import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv4 } from 'node:net'
import { type Answer, decode, encode } from 'dns-packet'

export interface DnsServer {
  /** As the setting DNS_SERVERS takes it. */
  address: string
  /** How often the addresses of a name were asked for. */
  lookups(name: string): number
  stop(): Promise<void>
}

/** The addresses of a name at its n-th lookup, counted from one; undefined where there is no such name. */
export type Zone = (name: string, lookup: number) => string[] | undefined

/** A real name server on a free port of 127.0.0.1. Its answers may not be kept, so that they can change. */
export async function startDns(zone: Zone): Promise<DnsServer> {
  const lookups = new Map<string, number>()
  const socket = createSocket('udp4')
  socket.on('message', (bytes, from) => {
    const { id, questions = [] } = decode(bytes)
    const [question] = questions
    if (!question) return
    const name = question.name.toLowerCase()
    // Both kinds of address are asked for at the same time; that is one lookup.
    if (question.type === 'A') lookups.set(name, (lookups.get(name) ?? 0) + 1)
    const found = zone(name, Math.max(1, lookups.get(name) ?? 0))
    const answers = (found ?? []).flatMap((address): Answer[] => {
      const type = isIPv4(address) ? 'A' : 'AAAA'
      return type === question.type ? [{ type, name: question.name, ttl: 0, data: address }] : []
    })
    // 3 means that there is no such name.
    const flags = 0x0180 | (found ? 0 : 3)
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
