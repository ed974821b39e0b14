/**
 * Executes orders one after the other. Data before the word was meant for a runner that has ended.
 * @param {import('node:net').Socket} channel
 * @param {string} word
 * @param {(order: { nonce: string, code: string }) => Promise<void>} carryOut
 */
export async function readRequests(channel, word, carryOut) {
  let hasBegun = false
  let bytes = Buffer.alloc(0)
  for await (const chunk of channel) {
    bytes = Buffer.concat([bytes, chunk])
    for (;;) {
      const end = bytes.indexOf('\n')
      if (end < 0) break
      const line = bytes.toString('latin1', 0, end)
      const [nonce, length] = line.split(' ')
      const after = end + 1 + (hasBegun ? Number(length) : 0)
      if (bytes.length < after) break
      const code = bytes.toString('utf8', end + 1, after)
      bytes = bytes.subarray(after)
      if (hasBegun) await carryOut({ nonce, code })
      else hasBegun = line === word
    }
  }
}
