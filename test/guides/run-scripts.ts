import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { testPython } from '../servers/moto.ts'
import type { Example } from './read-examples.ts'
import type { Ran, ShellDeps } from './run-shell.ts'

const root = join(import.meta.dirname, '../..')
const siblingPath = (name: string) => join(import.meta.dirname, name)

/** Runs programs of one language in one process, because starting a process takes longer than most of them. */
export async function runScripts(
  language: 'ts' | 'python',
  examples: readonly Pick<Example, 'code'>[],
  deps: ShellDeps,
): Promise<Ran[]> {
  const files = examples.map(({ code }, index) => {
    const file = join(deps.folder, `example_${index}.${language === 'ts' ? 'ts' : 'py'}`)
    writeFileSync(file, code)
    return file
  })
  const { program, args } = language === 'ts' ? node(files) : python(files)
  const child = spawn(program, args, {
    cwd: deps.folder,
    env: { PATH: process.env.PATH ?? '', PYTHONPATH: join(root, 'client/python/src'), ...deps.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  const lines = stdout.trim().split('\n').filter(Boolean)
  const outcomes = new Map(lines.map((line) => JSON.parse(line)).map((outcome) => [outcome.file, outcome]))
  return files.map((file) => {
    const outcome = outcomes.get(file)
    const error = outcome ? outcome.error : stderr
    return { code: error ? 1 : 0, stdout: outcome?.stdout ?? '', stderr: error ?? '' }
  })
}

function node(files: string[]) {
  const library = pathToFileURL(join(root, 'client/src/index.ts')).href
  return {
    program: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', siblingPath('run-scripts.mjs'), library, ...files],
  }
}

function python(files: string[]) {
  return { program: testPython ?? 'python3', args: [siblingPath('run_scripts.py'), ...files] }
}
