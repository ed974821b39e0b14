interface Language {
  formatScalar: (value: unknown) => string
  indent: number
  /** Padding inside the braces of a one-line object. */
  bracePadding: string
  /** Comma after the last element of a multi-line list. */
  trailingComma: string
}

const json: Language = {
  formatScalar: (value) => JSON.stringify(value),
  indent: 2,
  bracePadding: ' ',
  trailingComma: '',
}
const pythonLiterals = new Map<unknown, string>([
  [true, 'True'],
  [false, 'False'],
  [null, 'None'],
])
const python: Language = {
  formatScalar: (value) => pythonLiterals.get(value) ?? JSON.stringify(value),
  indent: 4,
  bracePadding: '',
  trailingComma: ',',
}

/** Formats a value as JSON, which is also JavaScript. Short nested values stay on one line. */
export function jsonText(value: unknown): string {
  return write(value, json, 0)
}

/** Formats a value as Python. Strings are written as in JSON, which Python accepts. */
export function pythonText(value: unknown): string {
  return write(value, python, 0)
}

const lineWidth = 72

function write(value: unknown, language: Language, depth: number): string {
  if (typeof value !== 'object' || value === null) return language.formatScalar(value)
  const isList = Array.isArray(value)
  const parts = Object.entries(value)
    .filter(([, entry]) => entry !== undefined)
    .map(([name, entry]) => {
      const text = write(entry, language, depth + 1)
      return isList ? text : `${JSON.stringify(name)}: ${text}`
    })
  const line = parts.join(', ')
  const padding = isList || parts.length === 0 ? '' : language.bracePadding
  const isShort = depth > 0 && line.length + depth * language.indent < lineWidth && !line.includes('\n')
  if (parts.length === 0 || isShort) return isList ? `[${line}]` : `{${padding}${line}${padding}}`
  const inner = ' '.repeat((depth + 1) * language.indent)
  const lines = parts.map((part) => inner + part).join(',\n') + language.trailingComma
  const outer = ' '.repeat(depth * language.indent)
  return isList ? `[\n${lines}\n${outer}]` : `{\n${lines}\n${outer}}`
}
