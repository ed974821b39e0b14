import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '../api.ts'
import { differences, more, shortenLike } from './compare-answer.ts'
import type { Example } from './read-examples.ts'
import type { Ran } from './run-shell.ts'

/** `GUIDES=write` writes the actual output into the pages, shortened as the pages are now. */
const isWriting = process.env.GUIDES === 'write'
const root = join(import.meta.dirname, '../..')

/** Returns the faults of an example after its run. */
export function findExampleFaults(example: Example, { code, stdout, stderr }: Ran): string[] {
  const { page, line, expectedOutput: shown } = example
  const location = `${page}:${line}`
  if (code !== 0) return [`${location} ended with ${code}: ${stderr}${stdout}`]
  if (!shown) return []
  const faults = shown.language === 'json' ? jsonFaults(shown.text, stdout) : textFaults(shown.text, stdout)
  if (faults.length > 0 && isWriting) write(example, stdout)
  return faults.map((fault) => `${location} ${fault}`)
}

function jsonFaults(expected: string, stdout: string): string[] {
  const actual = parseJson(stdout)
  return actual === undefined
    ? [`no JSON came: ${stdout.slice(0, 300)}`]
    : differences(parseJson(expected), actual)
}

/** Compares lines. A line that contains only the omission sign matches any number of lines. */
function textFaults(expected: string, stdout: string): string[] {
  const [beginning = '', ending = ''] = expected.split(`${more}\n`)
  const isCut = expected.includes(`${more}\n`)
  const actual = stdout.trimEnd()
  const isSame = isCut
    ? actual.startsWith(beginning) && actual.endsWith(ending.trimEnd())
    : actual === expected.trimEnd()
  return isSame ? [] : [`printed:\n${actual}`]
}

function parseJson(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function write({ page, expectedOutput: shown, language }: Example, stdout: string): void {
  // If an example exists in several languages, the output of the shell command is written. The others must match it.
  if (!shown || (language !== 'sh' && shown.language === 'json')) return
  const path = join(root, page)
  const text =
    shown.language === 'json'
      ? JSON.stringify(shortenLike(parseJson(shown.text) ?? {}, parseJson(stdout)), null, 2)
      : stdout.trimEnd()
  const before = `\`\`\`${shown.language}\n${shown.text}${shown.text === '' ? '' : '\n'}\`\`\``
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace(before, () => `\`\`\`${shown.language}\n${text}\n\`\`\``),
  )
}
