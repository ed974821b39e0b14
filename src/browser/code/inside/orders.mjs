import { createReadStream } from 'node:fs'

/**
 * Reads orders from a descriptor, one at a time.
 * @param {number} descriptor
 * @param {(order: { nonce: string, code: string }) => Promise<void>} carryOut
 */
export async function readOrders(descriptor, carryOut) {
  let bytes = Buffer.alloc(0)
  for await (const chunk of createReadStream('', { fd: descriptor })) {
    bytes = Buffer.concat([bytes, chunk])
    const end = bytes.indexOf('\n')
    if (end < 0) continue
    const [nonce, length] = bytes.toString('latin1', 0, end).split(' ')
    const after = end + 1 + Number(length)
    if (bytes.length < after) continue
    const code = bytes.toString('utf8', end + 1, after)
    bytes = bytes.subarray(after)
    await carryOut({ nonce, code })
  }
}
