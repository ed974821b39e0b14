/** Codes that switch a style on and off. Page text is made safe before: only these reach the terminal. */
export const styles = {
  bold: ['\x1b[1m', '\x1b[22m'],
  dim: ['\x1b[2m', '\x1b[22m'],
  italic: ['\x1b[3m', '\x1b[23m'],
  underlined: ['\x1b[4m', '\x1b[24m'],
  struck: ['\x1b[9m', '\x1b[29m'],
  heading: ['\x1b[1;35m', '\x1b[22;39m'],
  code: ['\x1b[36m', '\x1b[39m'],
  link: ['\x1b[4;34m', '\x1b[24;39m'],
} as const satisfies Record<string, readonly [string, string]>

export type Style = keyof typeof styles

export function paint(text: string, used: readonly Style[]): string {
  if (text === '') return ''
  const on = used.map((style) => styles[style][0]).join('')
  const off = [...used]
    .reverse()
    .map((style) => styles[style][1])
    .join('')
  return on + text + off
}

/** Makes a text a link, in terminals that know links. The address has no character that could end the code. */
export function linked(text: string, url: string): string {
  return `\x1b]8;;${url}\x1b\\${text}\x1b]8;;\x1b\\`
}
