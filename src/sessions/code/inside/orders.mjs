/**
 * Executes the calls of a channel sequentially. A call is a line `NONCE LENGTH` and LENGTH bytes of code. Data before
 * the token was meant for a runner that has ended.
 * @param {import('node:net').Socket} channel
 * @param {string} token
 * @param {(call: { nonce: string, code: string }) => Promise<void>} execute
 */
export async function readRequests(channel, token, execute) {
  let hasBegun = false
  let bytes = Buffer.alloc(0)
  for await (const chunk of channel) {
    bytes = Buffer.concat([bytes, chunk])
    for (;;) {
      const end = bytes.indexOf('\n')
      if (end < 0) break
      const line = bytes.toString('latin1', 0, end)
      const [nonce, length] = line.split(' ')
      const codeEnd = end + 1 + (hasBegun ? Number(length) : 0)
      if (bytes.length < codeEnd) break
      const code = bytes.toString('utf8', end + 1, codeEnd)
      bytes = bytes.subarray(codeEnd)
      if (hasBegun) await execute({ nonce, code })
      else hasBegun = line === token
    }
  }
}
