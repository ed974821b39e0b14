import { crc32, deflateRawSync } from 'node:zlib'

/** Returns a zip file with these parts, in their order. */
export function zip(parts: Record<string, string | Buffer>, options: { encrypted?: boolean } = {}): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(parts)) {
    const plain = Buffer.from(content)
    const packed = deflateRawSync(plain)
    const fields = entryFields(name, plain, packed, options.encrypted ? 1 : 0)
    const localEntry = Buffer.concat([Buffer.from('PK\x03\x04'), fields.local, Buffer.from(name), packed])
    directory.push(
      Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields.central(offset), Buffer.from(name)]),
    )
    locals.push(localEntry)
    offset += localEntry.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(directory.length, 8)
  end.writeUInt16LE(directory.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, central, end])
}

function entryFields(name: string, plain: Buffer, packed: Buffer, flags: number) {
  const local = Buffer.alloc(26)
  local.writeUInt16LE(20, 0)
  local.writeUInt16LE(flags, 2)
  local.writeUInt16LE(8, 4)
  local.writeUInt32LE(crc32(plain), 10)
  local.writeUInt32LE(packed.length, 14)
  local.writeUInt32LE(plain.length, 18)
  local.writeUInt16LE(Buffer.byteLength(name), 22)
  return {
    local,
    central(offset: number): Buffer {
      const remaining = Buffer.alloc(14)
      remaining.writeUInt32LE(offset, 10)
      return Buffer.concat([local, remaining])
    },
  }
}
