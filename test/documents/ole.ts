/** Returns a compound file with these streams. Each stream is long enough to use regular sectors. */
export function ole(streams: Record<string, Buffer>): Buffer {
  const sectors: Buffer[] = []
  const table: number[] = []
  const add = (bytes: Buffer): number => {
    const first = table.length
    const count = Math.max(1, Math.ceil(bytes.length / 512))
    for (let index = 0; index < count; index += 1) {
      const sector = Buffer.alloc(512)
      bytes.copy(sector, 0, index * 512, index * 512 + 512)
      sectors.push(sector)
      table.push(index === count - 1 ? endOfChain : first + index + 1)
    }
    return first
  }
  // Entries are a sorted tree, in which shorter names come first.
  const names = Object.keys(streams).sort((one, other) => one.length - other.length)
  const entries = names.map((name) => {
    const content = streams[name] as Buffer
    const bytes = Buffer.concat([content, Buffer.alloc(Math.max(0, 4096 - content.length))])
    return { name, start: add(bytes), size: bytes.length }
  })
  const directory = Buffer.concat([
    entry('Root Entry', { type: 5, child: 1, right: free, start: endOfChain, size: 0 }),
    ...entries.map(({ name, start, size }, index) =>
      entry(name, {
        type: 2,
        child: free,
        right: index + 2 <= entries.length ? index + 2 : free,
        start,
        size,
      }),
    ),
  ])
  const directoryStart = add(directory)
  const tableStart = table.length
  table.push(0xfffffffd)
  const tableSector = Buffer.alloc(512, 0xff)
  for (const [index, next] of table.entries()) tableSector.writeUInt32LE(next, index * 4)
  return Buffer.concat([header(directoryStart, tableStart), ...sectors, tableSector])
}

const endOfChain = 0xfffffffe
const free = 0xffffffff

function entry(
  name: string,
  facts: { type: number; child: number; right: number; start: number; size: number },
): Buffer {
  const bytes = Buffer.alloc(128)
  bytes.write(name, 'utf16le')
  bytes.writeUInt16LE((name.length + 1) * 2, 64)
  bytes.writeUInt8(facts.type, 66)
  bytes.writeUInt8(1, 67)
  bytes.writeUInt32LE(free, 68)
  bytes.writeUInt32LE(facts.right, 72)
  bytes.writeUInt32LE(facts.child, 76)
  bytes.writeUInt32LE(facts.start, 116)
  bytes.writeUInt32LE(facts.size, 120)
  return bytes
}

function header(directoryStart: number, tableStart: number): Buffer {
  const bytes = Buffer.alloc(512, 0xff)
  bytes.fill(0, 0, 76)
  bytes.write('d0cf11e0a1b11ae1', 'hex')
  bytes.writeUInt16LE(0x3e, 24)
  bytes.writeUInt16LE(3, 26)
  bytes.writeUInt16LE(0xfffe, 28)
  bytes.writeUInt16LE(9, 30)
  bytes.writeUInt16LE(6, 32)
  bytes.writeUInt32LE(1, 44)
  bytes.writeUInt32LE(directoryStart, 48)
  bytes.writeUInt32LE(4096, 56)
  bytes.writeUInt32LE(endOfChain, 60)
  bytes.writeUInt32LE(endOfChain, 68)
  bytes.writeUInt32LE(tableStart, 76)
  return bytes
}
