import { readFileSync } from 'node:fs'

export interface Instruction {
  name: string
  words: string[]
  line: number
}

/** Returns the instructions of a Dockerfile, with continued lines joined and without comments. */
export function instructionsOf(path: string | URL): Instruction[] {
  const instructions: Instruction[] = []
  let text = ''
  for (const [index, raw] of readFileSync(path, 'utf8').split('\n').entries()) {
    if (/^\s*(#|$)/.test(raw)) continue
    text += raw.replace(/\\$/, ' ')
    if (raw.endsWith('\\')) continue
    const [name = '', ...words] = text.trim().split(/\s+/)
    instructions.push({ name: name.toUpperCase(), words, line: index + 1 })
    text = ''
  }
  return instructions
}
