import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '../api.ts'
import { asShown, differences, more } from './compare-answer.ts'
import type { Example } from './read-examples.ts'
import type { Ran } from './run-shell.ts'

/** `GUIDES=write` writes what came into the pages, cut as they are now. */
const isWriting = process.env.GUIDES === 'write'
const root = join(import.meta.dirname, '../..')

/** What is wrong with an example, after it ran. */
export function exampleFaults(example: Example, { code, stdout, stderr }: Ran): string[] {
  const { page, line, shown } = example
  const place = `${page}:${line}`
  if (code !== 0) return [`${place} ended with ${code}: ${stderr}${stdout}`]
  if (!shown) return []
  const found = shown.language === 'json' ? ofJson(shown.text, stdout) : ofText(shown.text, stdout)
  if (found.length > 0 && isWriting) write(example, stdout)
  return found.map((fault) => `${place} ${fault}`)
}

function ofJson(shown: string, stdout: string): string[] {
  const came = parsed(stdout)
  return came === undefined ? [`no JSON came: ${stdout.slice(0, 300)}`] : differences(parsed(shown), came)
}

/** Lines; one that is only the sign stands for any number of them. */
function ofText(shown: string, stdout: string): string[] {
  const [beginning = '', ending = ''] = shown.split(`${more}\n`)
  const isCut = shown.includes(`${more}\n`)
  const came = stdout.trimEnd()
  const isSame = isCut
    ? came.startsWith(beginning) && came.endsWith(ending.trimEnd())
    : came === shown.trimEnd()
  return isSame ? [] : [`printed:\n${came}`]
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function write({ page, shown, language }: Example, stdout: string): void {
  // Of several languages the command writes: the others must agree with it.
  if (!shown || (language !== 'sh' && shown.language === 'json')) return
  const path = join(root, page)
  const text =
    shown.language === 'json'
      ? JSON.stringify(asShown(parsed(shown.text) ?? {}, parsed(stdout)), null, 2)
      : stdout.trimEnd()
  const before = `\`\`\`${shown.language}\n${shown.text}${shown.text === '' ? '' : '\n'}\`\`\``
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace(before, () => `\`\`\`${shown.language}\n${text}\n\`\`\``),
  )
}
