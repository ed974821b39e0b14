interface Language {
  words: (value: unknown) => string
  indent: number
  /** Inside the braces of an object in one line. */
  space: string
  /** After the last of a list that takes several lines. */
  lastComma: string
}

const json: Language = { words: (value) => JSON.stringify(value), indent: 2, space: ' ', lastComma: '' }
const pythonWords = new Map<unknown, string>([
  [true, 'True'],
  [false, 'False'],
  [null, 'None'],
])
const python: Language = {
  words: (value) => pythonWords.get(value) ?? JSON.stringify(value),
  indent: 4,
  space: '',
  lastComma: ',',
}

/** As JSON, which is also JavaScript; what fits into a line stays in one. */
export function jsonText(value: unknown): string {
  return write(value, json, 0)
}

/** As Python writes it; its strings are those of JSON. */
export function pythonText(value: unknown): string {
  return write(value, python, 0)
}

const lineWidth = 72

function write(value: unknown, language: Language, depth: number): string {
  if (typeof value !== 'object' || value === null) return language.words(value)
  const isList = Array.isArray(value)
  const parts = Object.entries(value)
    .filter(([, one]) => one !== undefined)
    .map(([name, one]) => {
      const text = write(one, language, depth + 1)
      return isList ? text : `${JSON.stringify(name)}: ${text}`
    })
  const line = parts.join(', ')
  const space = isList || parts.length === 0 ? '' : language.space
  const isShort = depth > 0 && line.length + depth * language.indent < lineWidth && !line.includes('\n')
  if (parts.length === 0 || isShort) return isList ? `[${line}]` : `{${space}${line}${space}}`
  const inner = ' '.repeat((depth + 1) * language.indent)
  const lines = parts.map((part) => inner + part).join(',\n') + language.lastComma
  const outer = ' '.repeat(depth * language.indent)
  return isList ? `[\n${lines}\n${outer}]` : `{\n${lines}\n${outer}}`
}
