import type { CdpSwitch } from './switch.ts'

/** One question of the service to the browser. The caller says what the method is known to answer. */
export async function askBrowser<Result>(cdp: CdpSwitch, method: string, params = {}): Promise<Result> {
  return new Promise((resolve, reject) => {
    const joined = cdp.join({
      kind: 'service',
      receive(text) {
        const { id, result, error } = JSON.parse(text)
        if (id !== 1) return
        void joined.then((client) => client.leave())
        if (error) reject(new Error(error.message))
        else resolve(result)
      },
      closed: () => reject(new Error('The browser has gone')),
    })
    joined.then((client) => client.send(JSON.stringify({ id: 1, method, params })), reject)
  })
}
