/** A part of a JSON text. */
export interface MemberPiece {
  /** The member of the outermost object whose value the bytes belong to; undefined for what stands around values. */
  name: string | undefined
  /** What stands between the last value and this one, a character for each byte; empty unless this one begins here. */
  lead: string
  bytes: Uint8Array
  /** True if the value ends here. */
  isLast: boolean
}

const [quote, backslash, comma, colon, space] = [0x22, 0x5c, 0x2c, 0x3a, 0x20]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

/**
 * Returns a function that takes a valid JSON text chunk by chunk, and splits each chunk by the members of the outermost object. No value
 * is parsed or held, so the text may have any size.
 */
export function memberScanner(): (chunk: Uint8Array) => MemberPiece[] {
  let depth = 0
  let isObject = false
  let isInString = false
  let isEscaped = false
  let isBeforeValue = false
  let name: string | undefined
  let lead = ''
  return (chunk) => {
    const pieces: MemberPiece[] = []
    let from = 0
    const addLead = (to: number) => {
      lead += Buffer.from(chunk.subarray(from, to)).toString('latin1')
      from = to
    }
    const add = (to: number, isLast: boolean) => {
      pieces.push({ name, lead, bytes: chunk.subarray(from, to), isLast })
      from = to
      lead = ''
      if (isLast) name = undefined
    }
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0
      if (isInString) {
        if (isEscaped) isEscaped = false
        else if (byte === backslash) isEscaped = true
        else if (byte === quote) {
          isInString = false
          if (depth === 1 && name !== undefined) add(at + 1, true)
        }
        continue
      }
      if (isBeforeValue && byte > space) {
        isBeforeValue = false
        addLead(at)
        name = nameIn(lead)
      }
      if (byte === quote) isInString = true
      else if (byte === colon) isBeforeValue = depth === 1
      else if (byte === openBrace || byte === openBracket) {
        if (depth === 0) isObject = byte === openBrace
        depth += 1
      } else if (byte === comma || byte === closeBrace || byte === closeBracket) {
        // A number, true, false or null ends where the next token begins.
        if (depth === 1 && name !== undefined) add(at, true)
        if (byte !== comma) depth -= 1
        if (byte !== comma && depth === 1 && name !== undefined) add(at + 1, true)
      }
    }
    if (isObject && depth === 1 && name === undefined) addLead(chunk.length)
    else add(chunk.length, false)
    return pieces
  }
}

const nameIn = (lead: string): string =>
  JSON.parse(Buffer.from(lead.slice(lead.indexOf('"'), lead.lastIndexOf('"') + 1), 'latin1').toString())
