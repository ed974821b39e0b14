const tables = new Map<string, Map<string, number[]>>()

/**
 * Encodes text in an encoding that the runtime can only decode. The table is built by decoding every sequence of one
 * or two bytes.
 */
export function encode(text: string, encoding: string): Buffer {
  const table = tables.get(encoding) ?? tableOf(encoding)
  tables.set(encoding, table)
  return Buffer.from(
    [...text].flatMap((letter) => {
      const bytes = table.get(letter)
      if (!bytes) throw new Error(`${encoding} has no ${letter}`)
      return bytes
    }),
  )
}

function tableOf(encoding: string): Map<string, number[]> {
  const decoder = new TextDecoder(encoding)
  const table = new Map<string, number[]>()
  const add = (bytes: number[]) => {
    const text = decoder.decode(Uint8Array.from(bytes))
    if ([...text].length === 1 && text !== '\ufffd' && !table.has(text)) table.set(text, bytes)
  }
  for (let byte = 0; byte < 256; byte += 1) add([byte])
  for (let lead = 0x81; lead < 0xff; lead += 1) {
    for (let trail = 0x40; trail < 0xff; trail += 1) add([lead, trail])
  }
  return table
}
