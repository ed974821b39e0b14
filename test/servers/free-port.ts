import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/**
 * Starts a server on a free loopback port. Another process can take the port in between, so a start that fails for
 * this reason is retried on another port.
 */
export async function onFreePort<Started>(start: (port: number) => Promise<Started>): Promise<Started> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start(await freePort())
    } catch (error) {
      const lostPort = /address already in use|EADDRINUSE/i.test(String(error))
      if (!lostPort || attempt === 3) throw error
    }
  }
}

async function freePort() {
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  // A listening TCP server always has an address object; only pipes have a string.
  const { port } = holder.address() as AddressInfo
  holder.close()
  await once(holder, 'close')
  return port
}
