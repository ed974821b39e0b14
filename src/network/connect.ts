import type { Socket } from 'node:net'
import { isIP } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { AppError } from '../base/errors.ts'
import type { Guard } from './guard.ts'

/**
 * An agent that resolves and checks every target and connects to the checked address. Checking inside the name
 * lookup would not be enough: a literal address is never looked up.
 */
export function guardedAgent(guard: Guard, verifyTls: boolean): Agent {
  const dial = buildConnector({ rejectUnauthorized: verifyTls, timeout: 10_000, keepAlive: true })
  return new Agent({
    connect(options, callback) {
      connect(options).then(
        (socket) => callback(null, socket),
        (error) => callback(error, null),
      )
    },
    maxHeaderSize: 64 * 1024,
    // The deadline of the call limits both; separate timeouts would only make errors harder to read.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 4000,
    allowH2: false,
  })

  async function connect(options: buildConnector.Options): Promise<Socket> {
    const port = Number(options.port || (options.protocol === 'https:' ? 443 : 80))
    const addresses = await guard.resolve(options.hostname, port)
    const servername = options.servername ?? (isIP(options.hostname) ? '' : options.hostname)
    let failure: unknown
    for (const address of addresses) {
      try {
        const socket = await dialOne({ ...options, hostname: address, servername })
        // A second check: whatever happened below, data is only sent to a checked address.
        if (guard.allows(socket.remoteAddress ?? '', options.hostname, port)) return socket
        socket.destroy()
        throw new AppError('TARGET_FORBIDDEN', { host: options.hostname, phase: 'connect' })
      } catch (thrown) {
        failure = thrown
      }
    }
    throw failure
  }

  function dialOne(options: buildConnector.Options): Promise<Socket> {
    return new Promise((resolve, reject) => {
      dial(options, (...[error, socket]) => (error ? reject(error) : resolve(socket)))
    })
  }
}
