import { randomFillSync } from 'node:crypto'

let lastTime = 0
let counter = 0

/** Creates a UUID version 7. Ids sort by creation, also within one millisecond: a counter follows the time. */
export function newId(now = Date.now()): string {
  const bytes = nextRandom()
  if (now > lastTime) {
    lastTime = now
    counter = bytes.readUInt32BE(4) & 0x3ffffff & ~0x2000000
  } else {
    counter += 1
    if (counter > 0x3ffffff) {
      lastTime += 1
      counter = 0
    }
  }
  bytes.writeUIntBE(lastTime, 0, 6)
  bytes.writeUInt16BE(0x7000 | (counter >>> 14), 6)
  bytes.writeUInt16BE(0x8000 | (counter & 0x3fff), 8)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const pool = Buffer.alloc(4096)
let usedBytes = pool.length

/** Returns sixteen random bytes from a pool: a system call per id would take longer than the rest of the function. */
function nextRandom(): Buffer {
  if (usedBytes === pool.length) {
    randomFillSync(pool)
    usedBytes = 0
  }
  usedBytes += 16
  return pool.subarray(usedBytes - 16, usedBytes)
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isUuid(text: string): boolean {
  return uuid.test(text)
}
