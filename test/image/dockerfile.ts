import { readFileSync } from 'node:fs'

export interface Instruction {
  name: string
  words: string[]
  line: number
}

/** The instructions of a Dockerfile, with continued lines joined and comments left out. */
export function instructionsOf(path: string | URL): Instruction[] {
  const found: Instruction[] = []
  let text = ''
  for (const [index, raw] of readFileSync(path, 'utf8').split('\n').entries()) {
    if (/^\s*(#|$)/.test(raw)) continue
    text += raw.replace(/\\$/, ' ')
    if (raw.endsWith('\\')) continue
    const [name = '', ...words] = text.trim().split(/\s+/)
    found.push({ name: name.toUpperCase(), words, line: index + 1 })
    text = ''
  }
  return found
}
