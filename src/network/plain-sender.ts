import { type Dispatcher, request as send } from 'undici'
import { readBody } from './body.ts'
import type { Sender } from './sender.ts'

/** Sends with undici, over connections that the dispatcher checks. */
export function plainSender(dispatcher: Dispatcher): Sender {
  return async (url, headers, signal) => {
    const answer = await send(url, { dispatcher, method: 'GET', headers, signal })
    const joined: Record<string, string> = {}
    for (const [name, value] of Object.entries(answer.headers)) {
      if (value !== undefined) joined[name] = Array.isArray(value) ? value.join(', ') : value
    }
    const cookies = answer.headers['set-cookie'] ?? []
    return {
      status: answer.statusCode,
      headers: joined,
      cookies: Array.isArray(cookies) ? cookies : [cookies],
      async read(limits) {
        try {
          return { bytes: await readBody(answer.body, limits), isDecoded: false }
        } catch (thrown) {
          answer.body.destroy()
          throw thrown
        }
      },
      async drop() {
        await answer.body.dump({ limit: 64 * 1024, signal }).catch(() => answer.body.destroy())
      },
    }
  }
}
