import { decodeBytes, encodingOf } from '../content/encoding/encoding.ts'

/** Groups that hold no text of the document. */
const silent =
  /^(?:fonttbl|colortbl|stylesheet|info|pict|object|header\w?|footer\w?|generator|listtable|listoverridetable|revtbl|themedata|datastore|xmlnstbl|fldinst|nonshppict)$/

/** Only the text of an RTF file, without its structure: the fallback if its groups are not balanced. */
export function rtfText(bytes: Buffer): string {
  const source = bytes.toString('latin1')
  const encoding = encodingOf(`windows-${/\\ansicpg(\d+)/.exec(source)?.[1] ?? '1252'}`) ?? 'windows-1252'
  const silenced: boolean[] = [false]
  let text = ''
  let opened = -1
  const token = /\\([a-z]+)(-?\d+)? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|([^\\{}]+)/gi
  for (const { 1: word, 2: number, 3: hex, 4: sign, 5: brace, 6: plain, index } of source.matchAll(token)) {
    const isSilent = silenced.at(-1) ?? false
    if (brace === '{') {
      silenced.push(isSilent)
      opened = index
    } else if (brace === '}') silenced.length > 1 && silenced.pop()
    else if ((sign === '*' && index === opened + 1) || (word !== undefined && silent.test(word)))
      silenced[silenced.length - 1] = true
    else if (isSilent) continue
    else if (word === 'par' || word === 'line' || word === 'row') text += '\n\n'
    else if (word === 'tab' || word === 'cell') text += ' '
    else if (word === 'u') text += String.fromCodePoint(((Number(number) % 65536) + 65536) % 65536)
    else if (hex !== undefined) text += decodeBytes(Buffer.from(hex, 'hex'), encoding)
    else if (sign !== undefined) text += /[\\{}]/.test(sign) ? sign : sign === '~' ? ' ' : ''
    else if (plain !== undefined) text += plain.replace(/[\r\n]/g, '')
  }
  return text.replace(/[`*_[\]<]/g, '\\$&')
}
