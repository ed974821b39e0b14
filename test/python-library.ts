import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import type { Json } from './api.ts'
import { testPython } from './servers/moto.ts'

const packageFolder = join(import.meta.dirname, '..', 'client', 'python')

/** Runs a program to its end, which must succeed. Returns its output. */
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
 * Installs the Python client as users get it: a wheel in a new environment. That environment contains only the
 * dependencies of the wheel from the environment of the tests.
 */
export async function installLibrary(folder: string): Promise<{ python: string; wheel: string }> {
  const builder = testPython ?? ''
  const source = join(folder, 'source')
  cpSync(packageFolder, source, { recursive: true })
  const pipFlags = ['-m', 'pip', '--disable-pip-version-check', '--quiet']
  const buildFlags = ['--no-deps', '--no-index', '--no-build-isolation', '--wheel-dir', folder]
  await runPython(builder, [...pipFlags, 'wheel', ...buildFlags, source])
  const wheel = join(folder, readdirSync(folder).find((name) => name.endsWith('.whl')) ?? '')
  const environment = join(folder, 'environment')
  await runPython(builder, ['-m', 'venv', '--without-pip', environment])
  const python = join(environment, 'bin', 'python3')
  await runPython(builder, [...pipFlags, '--python', python, 'install', '--no-deps', '--no-index', wheel])
  const packages = (
    await runPython(builder, ['-c', 'import httpx, os; print(os.path.dirname(httpx.__path__[0]))'])
  ).trim()
  const sitePackages = (
    await runPython(python, ['-c', 'import site; print(site.getsitepackages()[0])'])
  ).trim()
  writeFileSync(join(sitePackages, 'of-the-tests.pth'), `${packages}\n`)
  return { python, wheel }
}

/** Reason for skipping tests that need Python, as a part of their titles; empty if they run. */
export const withoutPackages =
  testPython === undefined ? ' (skipped: the packages of the tests could not be installed)' : ''

/** Returns the outcome of each step of a program, for each kind of client. */
export async function runKinds<Kind extends string>(
  program: string,
  kinds: readonly Kind[],
  params: object,
): Promise<Partial<Record<Kind, Record<string, Json>>>> {
  if (testPython === undefined) return {}
  const runs = kinds.map(async (kind) => {
    const args = ['-I', '-B', programOf(program), JSON.stringify({ ...params, kind })]
    return [kind, stepsIn(await runPython(testPython ?? '', args))]
  })
  return Object.fromEntries(await Promise.all(runs))
}

/** Returns the outcome of each step of a program in `test/python`, by step name. */
export function stepsIn(stdout: string): Record<string, Json> {
  const lines: Json[] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return Object.fromEntries(lines.map(({ step, ...outcome }) => [step, outcome]))
}

/** Folder of the sources, for programs that run without an installed package. */
export const librarySources = join(packageFolder, 'src')

export function exampleOf(name: string): string {
  return join(packageFolder, 'examples', name)
}

export function programOf(name: string): string {
  return join(import.meta.dirname, 'python', name)
}

/** Returns the value of a step that must have succeeded. */
export function resultOf(outcomes: Record<string, Json> | undefined, step: string): Json {
  const outcome = outcomes?.[step]
  expect(outcome?.error).toBeUndefined()
  expect(outcome).toHaveProperty('value')
  return outcome.value
}
