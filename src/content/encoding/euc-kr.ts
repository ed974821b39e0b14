/**
 * EUC-KR as the web means it, which includes the 8,822 syllables that windows-949 added.
 * The decoder built into Node knows only the older standard and garbles words such as 똠방각하.
 */
export function decodeEucKr(bytes: Uint8Array): string {
  characters ??= buildTable()
  const units = new Uint16Array(bytes.length)
  let length = 0
  for (let index = 0; index < bytes.length; length += 1) {
    const lead = bytes[index] ?? 0
    const trail = bytes[index + 1] ?? 0
    const code = lead < 0x80 ? lead : (characters[lead * 256 + trail] ?? 0)
    units[length] = lead >= 0x80 && code === 0 ? 0xfffd : code
    // An ASCII byte after a broken lead byte is markup more often than not: it is read again.
    index += lead < 0x80 || (code === 0 && trail < 0x80) ? 1 : 2
  }
  return Buffer.from(units.buffer, 0, length * 2).toString('utf16le')
}

let characters: Uint16Array | undefined

function buildTable(): Uint16Array {
  const table = new Uint16Array(65536)
  const known = new Set<number>()
  const decoder = new TextDecoder('euc-kr')
  for (let lead = 0xa1; lead <= 0xfe; lead += 1) {
    for (let trail = 0xa1; trail <= 0xfe; trail += 1) {
      const text = decoder.decode(Uint8Array.of(lead, trail))
      const code = text.length === 1 ? text.charCodeAt(0) : 0xfffd
      // The private-use rows of the older standard are not part of the web's table.
      if (code === 0xfffd || (code >= 0xe000 && code <= 0xf8ff)) continue
      table[lead * 256 + trail] = code
      known.add(code)
    }
  }
  table[0xa2e6] = 0x20ac
  table[0xa2e7] = 0x00ae
  addSyllables(table, known)
  return table
}

/** The added syllables are all those missing from the older standard, in Unicode order, in the free cells. */
function addSyllables(table: Uint16Array, known: Set<number>): void {
  let syllable = 0xac00
  for (let lead = 0x81; lead <= 0xc6; lead += 1) {
    const lastTrail = lead <= 0xa0 ? 0xfe : 0xa0
    for (let trail = 0x41; trail <= lastTrail; trail += 1) {
      if ((trail > 0x5a && trail < 0x61) || (trail > 0x7a && trail < 0x81)) continue
      while (known.has(syllable)) syllable += 1
      if (syllable > 0xd7a3) return
      table[lead * 256 + trail] = syllable
      syllable += 1
    }
  }
}
