import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningService, startService, temporaryFolder } from '../service.ts'
import { type Site, startSite } from '../site/site.ts'
import { type Member, members } from './members.ts'

/** Copy of the project, to which the test adds one additional member of each family. */
const root = fileURLToPath(new URL('../..', import.meta.url))
const scratch = temporaryFolder()
const copiedPaths = [
  'src',
  'test',
  'tools',
  'client',
  'console/src',
  'prepare',
  'bench',
  'docs',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
]
/** Folders with thousands of pages and expectations, which these tests do not need. */
const isCorpus = (path: string) => /test\/corpus\/\w+\/(?:pages|expect)$/.test(path)
const key = 'fc-newcomer'
let site: Site
let service: RunningService

beforeAll(async () => {
  for (const name of copiedPaths)
    cpSync(join(root, name), join(scratch.path, name), { recursive: true, filter: (path) => !isCorpus(path) })
  symlinkSync(join(root, 'node_modules'), join(scratch.path, 'node_modules'))
  for (const { file, list, also } of members) {
    if (file) writeFileSync(join(scratch.path, file.path), file.text)
    for (const line of also ? [list, also] : [list]) addLine(line)
  }
  run(process.execPath, ['tools/generate.ts'])
})

afterAll(async () => {
  await service?.stop()
  await site?.stop()
  scratch.remove()
})

function addLine({ path: name, line, before }: Member['list']): void {
  const path = join(scratch.path, name)
  const lines = readFileSync(path, 'utf8').split('\n')
  const index = before === undefined ? 0 : lines.findIndex((candidate) => candidate.startsWith(before))
  expect(index).toBeGreaterThanOrEqual(0)
  writeFileSync(path, lines.toSpliced(index, 0, line).join('\n'))
}

/** Runs a program. Throws with its complete output if it fails. */
function run(program: string, args: string[]): void {
  const environment = { PATH: process.env.PATH, HOME: process.env.HOME }
  try {
    execFileSync(program, args, { cwd: scratch.path, env: environment, encoding: 'utf8', stdio: 'pipe' })
  } catch (thrown) {
    const { stdout = '', stderr = '' } = thrown as { stdout?: string; stderr?: string }
    throw new Error(`${args.join(' ')}\n${stdout}${stderr}`)
  }
}

const tool = (name: string) => join(root, 'node_modules/.bin', name)

describe(`${members.map(({ family }) => family).join(', ')}, each one file and one line`, () => {
  it('compile', { timeout: 120_000 }, () => {
    const program = { extends: './tsconfig.json', include: ['src'], exclude: ['src/**/*.test.ts'] }
    writeFileSync(join(scratch.path, 'tsconfig.src.json'), JSON.stringify(program))
    run(tool('tsc'), ['--noEmit', '--checkers', '1', '-p', 'tsconfig.src.json'])
  })

  it('pass the test of their family without any other change', { timeout: 240_000 }, () => {
    const tests = ['extraction/formats/formats', 'fetch/actions/actions', 'api/endpoints/endpoints']
    const otherTests = [
      'documents/types/document-types',
      'search/providers/all',
      'architecture',
      'features/scrape/plan',
    ]
    const files = [...tests, ...otherTests].map((name) => `src/${name}.test.ts`)
    files.push('tools/generated-files.test.ts')
    run(tool('vitest'), ['run', '--project', 'unit', ...files])
  })

  it('work in a running service', { timeout: 120_000 }, async () => {
    site = await startSite()
    const environment = {
      API_KEY: key,
      DATA_DIR: join(scratch.path, 'data'),
      ALLOW_PRIVATE_NETWORK: '127.0.0.1',
    }
    service = await startService(environment, join(scratch.path, 'src/main.ts'))
    const headers = { authorization: `Bearer ${key}` }
    const post = async (path: string, body: unknown) => {
      const json = { ...headers, 'content-type': 'application/json' }
      const response = await fetch(service.url + path, {
        method: 'POST',
        headers: json,
        body: JSON.stringify(body),
      })
      return response.json()
    }
    expect(await post('/v2/scrape', { url: `${site.url}/pages/1`, formats: ['wordCount'] })).toMatchObject({
      data: { wordCount: expect.any(Number) },
    })
    const coffee = await fetch(`${service.url}/v2/coffee`, { headers })
    expect([coffee.status, await coffee.json()]).toMatchObject([418, { code: 'TEAPOT' }])
    const form = new FormData()
    form.append('file', new Blob(['[harbour]\ndepth = 4\n']), 'tides.ini')
    const parsed = await fetch(`${service.url}/v2/parse`, { method: 'POST', headers, body: form })
    expect(await parsed.json()).toMatchObject({ data: { markdown: expect.stringContaining('## harbour') } })
    const api = await (await fetch(`${service.url}/v2/openapi.json`)).json()
    expect(JSON.stringify(api)).toContain('"hover"')
  })
})
