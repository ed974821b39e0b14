import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Box } from '../pdf/shapes.ts'

export interface Word extends Box {
  text: string
  confidence: number
  line: Box & { id: string }
}

const run = promisify(execFile)
const maxOutputBytes = 64 * 1024 * 1024

/** The environment of the program contains only its thread limit. */
export async function recogniseFile(
  program: string,
  path: string,
  options: { languages: string[]; signal: AbortSignal },
): Promise<Word[]> {
  const args = [path, '-', '-l', options.languages.join('+'), '--psm', '3', '-c', 'tessedit_create_tsv=1']
  const { stdout } = await run(program, args, {
    env: { OMP_THREAD_LIMIT: '1' },
    maxBuffer: maxOutputBytes,
    signal: options.signal,
  })
  return readTable(stdout)
}

export async function listInstalledLanguages(program: string): Promise<string[]> {
  const { stdout } = await run(program, ['--list-langs'], { env: {}, maxBuffer: maxOutputBytes })
  const names = stdout
    .split('\n')
    .slice(1)
    .map((name) => name.trim())
  const languages = names.filter(
    (name) => /^[a-z]{3}(?:_\w+)?$/.test(name) && name !== 'osd' && name !== 'equ',
  )
  return [...languages.filter((name) => name === 'eng'), ...languages.filter((name) => name !== 'eng')]
}

/** Returns undefined if the program cannot decide, for example for an image with few letters. */
export async function detectOrientation(program: string, path: string, signal: AbortSignal) {
  const args = [path, '-', '-l', 'osd', '--psm', '0']
  const result = await run(program, args, { env: { OMP_THREAD_LIMIT: '1' }, signal }).catch(() => undefined)
  signal.throwIfAborted()
  const field = (name: string) => new RegExp(`^${name}: (\\S+)`, 'm').exec(result?.stdout ?? '')?.[1]
  const [rotation, margin] = [Number(field('Rotate')), Number(field('Orientation confidence'))]
  if (Number.isNaN(rotation) || Number.isNaN(margin)) return undefined
  return { script: field('Script'), rotation, margin }
}

const [level, block, paragraph, lineNumber, left, top, width, height, confidence, text] = [
  0, 2, 3, 4, 6, 7, 8, 9, 10, 11,
]

function readTable(table: string): Word[] {
  const words: Word[] = []
  let line: Word['line'] | undefined
  for (const row of table.split('\n')) {
    const cells = row.split('\t')
    const number = (at: number) => Number(cells[at])
    const box = () => ({
      left: number(left),
      top: number(top),
      right: number(left) + number(width),
      bottom: number(top) + number(height),
    })
    if (cells[level] === '4')
      line = { ...box(), id: `${cells[block]}.${cells[paragraph]}.${cells[lineNumber]}` }
    const wordText = cells[text]?.trim() ?? ''
    if (cells[level] !== '5' || wordText === '' || !line) continue
    words.push({ ...box(), text: wordText, confidence: Math.max(0, number(confidence)) / 100, line })
  }
  return words
}
