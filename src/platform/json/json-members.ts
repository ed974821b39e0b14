export interface MemberPiece {
  /** Member of the outermost object whose value contains the bytes; undefined for bytes around values. */
  name: string | undefined
  /** Text between the previous value and this value, one character per byte; empty unless this value begins here. */
  lead: string
  bytes: Uint8Array
  isLast: boolean
}

const [quote, backslash, comma, colon, space] = [0x22, 0x5c, 0x2c, 0x3a, 0x20]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

/** Splits chunks of valid JSON by the members of the outermost object, without parsing or buffering values. */
export function createMemberScanner(): (chunk: Uint8Array) => MemberPiece[] {
  let depth = 0
  let isObject = false
  let isInString = false
  let isEscaped = false
  let isBeforeValue = false
  let name: string | undefined
  let lead = ''
  return (chunk) => {
    const pieces: MemberPiece[] = []
    let start = 0
    const addLead = (to: number) => {
      lead += Buffer.from(chunk.subarray(start, to)).toString('latin1')
      start = to
    }
    const addPiece = (to: number, isLast: boolean) => {
      pieces.push({ name, lead, bytes: chunk.subarray(start, to), isLast })
      start = to
      lead = ''
      if (isLast) name = undefined
    }
    for (let index = 0; index < chunk.length; index += 1) {
      const byte = chunk[index] ?? 0
      if (isInString) {
        if (isEscaped) isEscaped = false
        else if (byte === backslash) isEscaped = true
        else if (byte === quote) {
          isInString = false
          if (depth === 1 && name !== undefined) addPiece(index + 1, true)
        }
        continue
      }
      if (isBeforeValue && byte > space) {
        isBeforeValue = false
        addLead(index)
        name = parseName(lead)
      }
      if (byte === quote) isInString = true
      else if (byte === colon) isBeforeValue = depth === 1
      else if (byte === openBrace || byte === openBracket) {
        if (depth === 0) isObject = byte === openBrace
        depth += 1
      } else if (byte === comma || byte === closeBrace || byte === closeBracket) {
        // A number, true, false or null ends where the next token begins.
        if (depth === 1 && name !== undefined) addPiece(index, true)
        if (byte !== comma) depth -= 1
        if (byte !== comma && depth === 1 && name !== undefined) addPiece(index + 1, true)
      }
    }
    if (isObject && depth === 1 && name === undefined) addLead(chunk.length)
    else addPiece(chunk.length, false)
    return pieces
  }
}

const parseName = (lead: string): string =>
  JSON.parse(Buffer.from(lead.slice(lead.indexOf('"'), lead.lastIndexOf('"') + 1), 'latin1').toString())
