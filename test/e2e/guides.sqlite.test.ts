import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { call, scrape, teamKey } from '../api.ts'
import { lamps } from '../documents/post.ts'
import { exampleFaults } from '../guides/check-example.ts'
import { checkTypes } from '../guides/check-types.ts'
import { type ExampleSites, startExampleSites } from '../guides/example-sites.ts'
import {
  type Example,
  pagesWithExamples,
  readExamples,
  readFences,
  readPage,
} from '../guides/read-examples.ts'
import { runScripts } from '../guides/run-scripts.ts'
import { type Ran, runShell } from '../guides/run-shell.ts'
import { settledShell } from '../guides/settled-shell.ts'
import { members } from '../newcomer/members.ts'
import { testPython } from '../servers/moto.ts'
import { temporaryFolder } from '../service.ts'

const pages = pagesWithExamples()
const examples = pages.flatMap(readExamples)
const without = testPython === undefined ? ' (skipped: the packages of the tests could not be installed)' : ''
const files = temporaryFolder()
const client = join(import.meta.dirname, '../../client')
let sites: ExampleSites

beforeAll(async () => {
  sites = await startExampleSites(inject('deployment').urls[0] ?? '')
  mkdirSync(join(files.path, 'data'))
  writeFileSync(join(files.path, 'data/api-key'), teamKey())
  writeFileSync(join(files.path, 'catalogue.pdf'), lamps)
  // The examples run in a folder that looks like a checkout.
  symlinkSync(client, join(files.path, 'client'))
  // What the examples search for was scraped before; a page can be found a moment after that.
  await scrape({ url: sites.toHere('https://docs.example/webhooks') })
  const query = { query: 'webhook sent again', limit: 1 }
  const find = async () => (await call('POST', '/v2/search', { body: query })).body.data?.web
  while (!(await find())?.length) await setTimeout(100)
})
afterAll(async () => {
  await sites.stop()
  files.remove()
})

const deps = () => ({
  folder: files.path,
  environment: { WINNOW_API_KEY: teamKey(), WINNOW_URL: inject('deployment').urls[0] ?? '' },
})

const faults = (example: Example, { stdout, ...ran }: Ran) =>
  exampleFaults(example, { ...ran, stdout: sites.toPage(stdout) })

const isOf = (language: string) => (example: { language: string }) => example.language === language

describe('the examples of README and guides', () => {
  it.each(pages.filter((page) => readExamples(page).some(isOf('sh'))))('%s: commands', async (page) => {
    const run = settledShell((code, variables) => {
      const { folder, environment } = deps()
      return runShell(sites.toHere(code), { folder, environment: { ...environment, ...variables } })
    })
    const found: string[] = []
    for (const example of readExamples(page).filter(isOf('sh')))
      found.push(...faults(example, await run(example.code)))
    expect(found).toEqual([])
  })

  it('show parts that the project adds to a copy of itself, word for word', () => {
    const parts = members.flatMap(({ file }) => file?.text.trimEnd() ?? [])
    const shown = readFences(readPage('docs/guides/plug-in.md')).filter(isOf('typescript'))
    expect(shown.length).toBe(5)
    expect(shown.filter(({ text }) => !parts.includes(text))).toEqual([])
  })

  const inLanguage = async (language: 'ts' | 'python') => {
    const own = examples.filter(isOf(language))
    expect(own.length).toBeGreaterThan(5)
    const ran = await runScripts(
      language,
      own.map(({ code }) => ({ code: sites.toHere(code) })),
      deps(),
    )
    expect(own.flatMap((example, at) => faults(example, ran[at] as Ran))).toEqual([])
  }
  it('have the types of the client in TypeScript', async () => {
    const { code, stdout } = await checkTypes(examples.filter(isOf('ts')), files.path)
    expect([code, stdout]).toEqual([0, ''])
  })
  it('run in TypeScript', () => inLanguage('ts'))
  it.skipIf(without !== '')(`run in Python${without}`, () => inLanguage('python'))
})
