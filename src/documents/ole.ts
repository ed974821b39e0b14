/** Every number in a compound file is untrusted. */
interface OleStream {
  name: string
  size: number
  start: number
}

const headerSize = 512
const firstReservedSector = 0xfffffffa
const minRegularStreamBytes = 4096

export function readOle(bytes: Buffer) {
  if (bytes.length < headerSize) return undefined
  const shift = bytes.readUInt16LE(30)
  if (shift !== 9 && shift !== 12) return undefined
  const sectorSize = 1 << shift
  const table = readAllocationTable(bytes, sectorSize)
  const readSectors = (first: number, max: number) =>
    readChain(first, max, {
      sectorAt: (sector) => sectorAt(bytes, sector, sectorSize),
      nextOf: (sector) => table[sector],
    })
  const streams = readDirectoryEntries(readSectors(bytes.readUInt32LE(48), 4 * 1024 * 1024))
  const root = streams.find((entry) => entry.name === 'Root Entry')
  const smallTable = readSectors(bytes.readUInt32LE(60), 4 * 1024 * 1024)
  const byName = new Map(streams.toReversed().map((stream) => [stream.name.toLowerCase(), stream]))
  return {
    streams,
    findStream: (name: string) => byName.get(name.toLowerCase()),
    read(stream: OleStream, length: number): Buffer {
      const byteCount = Math.min(length, stream.size)
      if (stream.size >= minRegularStreamBytes || !root) {
        return readSectors(stream.start, byteCount).subarray(0, byteCount)
      }
      const small = readSectors(root.start, root.size)
      const chain = readChain(stream.start, byteCount, {
        sectorAt: (sector) => small.subarray(sector * 64, sector * 64 + 64),
        nextOf: (sector) =>
          sector * 4 + 4 <= smallTable.length ? smallTable.readUInt32LE(sector * 4) : undefined,
      })
      return chain.subarray(0, byteCount)
    },
  }
}

export type OleFile = NonNullable<ReturnType<typeof readOle>>

function sectorAt(bytes: Buffer, sector: number, sectorSize: number): Buffer {
  const start = (sector + 1) * sectorSize
  return bytes.subarray(start, start + sectorSize)
}

function readAllocationTable(bytes: Buffer, sectorSize: number): number[] {
  const sectors: number[] = []
  for (let index = 0; index < 109; index += 1) sectors.push(bytes.readUInt32LE(76 + index * 4))
  let next = bytes.readUInt32LE(68)
  for (let round = 0; next < firstReservedSector && round < 1000; round += 1) {
    const sector = sectorAt(bytes, next, sectorSize)
    if (sector.length < sectorSize) break
    for (let at = 0; at + 4 < sectorSize; at += 4) sectors.push(sector.readUInt32LE(at))
    next = sector.readUInt32LE(sectorSize - 4)
  }
  const table: number[] = []
  // The table describes the sectors of the file. A cyclic list of its parts would let it grow without end.
  const maxTableEntries = Math.ceil(bytes.length / sectorSize) + sectorSize
  for (const number of sectors) {
    if (number >= firstReservedSector) continue
    if (table.length > maxTableEntries) break
    const sector = sectorAt(bytes, number, sectorSize)
    for (let at = 0; at + 4 <= sector.length; at += 4) table.push(sector.readUInt32LE(at))
  }
  return table
}

function readChain(
  first: number,
  maxBytes: number,
  chain: { sectorAt(sector: number): Buffer; nextOf(sector: number): number | undefined },
): Buffer {
  const parts: Buffer[] = []
  let size = 0
  // A chain can be cyclic, so reading stops at the required length.
  for (let sector = first; sector < firstReservedSector && size < maxBytes; ) {
    const part = chain.sectorAt(sector)
    if (part.length === 0) break
    parts.push(part)
    size += part.length
    sector = chain.nextOf(sector) ?? firstReservedSector
  }
  return Buffer.concat(parts)
}

function readDirectoryEntries(directory: Buffer): OleStream[] {
  const streams: OleStream[] = []
  for (let at = 0; at + 128 <= directory.length; at += 128) {
    const nameLength = Math.min(directory.readUInt16LE(at + 64), 64)
    if (nameLength < 2 || directory[at + 66] === 0) continue
    const name = directory.toString('utf16le', at, at + nameLength - 2)
    streams.push({ name, start: directory.readUInt32LE(at + 116), size: directory.readUInt32LE(at + 120) })
  }
  return streams
}
