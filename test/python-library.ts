import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import type { Json } from './api.ts'
import { testPython } from './servers/moto.ts'

const packageFolder = join(import.meta.dirname, '..', 'client', 'python')

/** Runs a program to its end, and answers what it printed. It must end well. */
export async function runPython(
  program: string,
  args: string[],
  { cwd, environment = {} }: { cwd?: string; environment?: Record<string, string> } = {},
): Promise<string> {
  const env = { PATH: process.env.PATH ?? '', ...environment }
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], cwd, env })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  expect({ code: child.exitCode, stdout: stdout.slice(-3000), stderr: stderr.slice(-3000) }).toMatchObject({
    code: 0,
  })
  return stdout
}

/**
 * Our client for Python as people get it: a wheel, installed into a new environment. Of the environment of the tests
 * that one sees what the wheel depends on.
 */
export async function installLibrary(folder: string): Promise<{ python: string; wheel: string }> {
  const builder = testPython ?? ''
  const source = join(folder, 'source')
  cpSync(packageFolder, source, { recursive: true })
  const quietly = ['-m', 'pip', '--disable-pip-version-check', '--quiet']
  const offline = ['--no-deps', '--no-index', '--no-build-isolation', '--wheel-dir', folder]
  await runPython(builder, [...quietly, 'wheel', ...offline, source])
  const wheel = join(folder, readdirSync(folder).find((name) => name.endsWith('.whl')) ?? '')
  const environment = join(folder, 'environment')
  await runPython(builder, ['-m', 'venv', '--without-pip', environment])
  const python = join(environment, 'bin', 'python3')
  await runPython(builder, [...quietly, '--python', python, 'install', '--no-deps', '--no-index', wheel])
  const packages = (
    await runPython(builder, ['-c', 'import httpx, os; print(os.path.dirname(httpx.__path__[0]))'])
  ).trim()
  const own = (await runPython(python, ['-c', 'import site; print(site.getsitepackages()[0])'])).trim()
  writeFileSync(join(own, 'of-the-tests.pth'), `${packages}\n`)
  return { python, wheel }
}

/** Why tests that need Python are skipped, for their names; empty where they are not. */
export const withoutPackages =
  testPython === undefined ? ' (skipped: the packages of the tests could not be installed)' : ''

/** What each step of a program came to, for each kind of the client that it tries. */
export async function runKinds<Kind extends string>(
  program: string,
  kinds: readonly Kind[],
  given: object,
): Promise<Partial<Record<Kind, Record<string, Json>>>> {
  if (testPython === undefined) return {}
  const runs = kinds.map(async (kind) => {
    const args = ['-I', '-B', programOf(program), JSON.stringify({ ...given, kind })]
    return [kind, stepsIn(await runPython(testPython ?? '', args))]
  })
  return Object.fromEntries(await Promise.all(runs))
}

/** What each step of a program in `test/python` came to, by its name. */
export function stepsIn(stdout: string): Record<string, Json> {
  const lines: Json[] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return Object.fromEntries(lines.map(({ step, ...outcome }) => [step, outcome]))
}

/** Where the sources are, for programs that run without an installed package. */
export const librarySources = join(packageFolder, 'src')

export function exampleOf(name: string): string {
  return join(packageFolder, 'examples', name)
}

export function programOf(name: string): string {
  return join(import.meta.dirname, 'python', name)
}

/** The value of a step that must have gone well. */
export function wellDone(outcomes: Record<string, Json> | undefined, step: string): Json {
  const outcome = outcomes?.[step]
  expect(outcome?.error).toBeUndefined()
  expect(outcome).toHaveProperty('value')
  return outcome.value
}
