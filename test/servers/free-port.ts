import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/**
 * Starts something on a loopback port that was free a moment ago. Another process can take the port in
 * between, so a start that fails for this reason is tried again on another one.
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
  // A listening TCP server always has an address object; a string is for pipes only.
  const { port } = holder.address() as AddressInfo
  holder.close()
  await once(holder, 'close')
  return port
}
