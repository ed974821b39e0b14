import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { call, scrape, teamKey } from '../api.ts'
import { lamps } from '../documents/post.ts'
import { findExampleFaults } from '../guides/check-example.ts'
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
const skipNote =
  testPython === undefined ? ' (skipped: the packages of the tests could not be installed)' : ''
const files = temporaryFolder()
const client = join(import.meta.dirname, '../../client')
let sites: ExampleSites

beforeAll(async () => {
  sites = await startExampleSites(inject('deployment').urls[0] ?? '')
  mkdirSync(join(files.path, 'data'))
  writeFileSync(join(files.path, 'data/api-key'), teamKey())
  writeFileSync(join(files.path, 'catalogue.pdf'), lamps)
  // The examples run in a folder that has the layout of a checkout.
  symlinkSync(client, join(files.path, 'client'))
  // The examples search for this page. It is indexed asynchronously after the scrape.
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

const findFaults = (example: Example, { stdout, ...rest }: Ran) =>
  findExampleFaults(example, { ...rest, stdout: sites.toPage(stdout) })

const isLanguage = (language: string) => (example: { language: string }) => example.language === language

describe('the examples of README and guides', () => {
  it.each(pages.filter((page) => readExamples(page).some(isLanguage('sh'))))(
    '%s: shell commands run',
    async (page) => {
      const run = settledShell((code, variables) => {
        const { folder, environment } = deps()
        return runShell(sites.toHere(code), { folder, environment: { ...environment, ...variables } })
      })
      const faults: string[] = []
      for (const example of readExamples(page).filter(isLanguage('sh')))
        faults.push(...findFaults(example, await run(example.code)))
      expect(faults).toEqual([])
    },
  )

  it('contain the code of the plug-in test, word for word', () => {
    const sources = members.flatMap(({ file }) => file?.text.trimEnd() ?? [])
    const fences = readFences(readPage('docs/guides/plug-in.md')).filter(isLanguage('typescript'))
    expect(fences.length).toBe(5)
    expect(fences.filter(({ text }) => !sources.includes(text))).toEqual([])
  })

  const runExamples = async (language: 'ts' | 'python') => {
    const languageExamples = examples.filter(isLanguage(language))
    expect(languageExamples.length).toBeGreaterThan(5)
    const results = await runScripts(
      language,
      languageExamples.map(({ code }) => ({ code: sites.toHere(code) })),
      deps(),
    )
    expect(languageExamples.flatMap((example, index) => findFaults(example, results[index] as Ran))).toEqual(
      [],
    )
  }
  it('compile with the types of the client in TypeScript', async () => {
    const { code, stdout } = await checkTypes(examples.filter(isLanguage('ts')), files.path)
    expect([code, stdout]).toEqual([0, ''])
  })
  it('run in TypeScript', () => runExamples('ts'))
  it.skipIf(skipNote !== '')(`run in Python${skipNote}`, () => runExamples('python'))
})
