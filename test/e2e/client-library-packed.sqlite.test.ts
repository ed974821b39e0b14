import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { teamKey } from '../api.ts'
import { chromiumPath } from '../servers/browser.ts'
import { temporaryFolder } from '../service.ts'
import { send, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

const root = join(import.meta.dirname, '..', '..')
const folder = temporaryFolder()
const project = join(folder.path, 'project')
const installed = join(project, 'node_modules', 'winnow-client')

const prepared = join(root, '.prepared', 'javascript-runtimes')
/** The setup passes the folder with Deno and Bun. A run without the setup uses its default folder. */
const runtimes = process.env.TEST_JAVASCRIPT_RUNTIMES ?? (existsSync(prepared) ? prepared : undefined)
const skipNote = runtimes === undefined ? ' (skipped: Deno and Bun could not be installed)' : ''

let site: Site
beforeAll(async () => {
  const script = (path: string) => readFileSync(path, 'utf8')
  const headers = { 'content-type': 'text/javascript' }
  site = await startSite({
    routes: {
      '/app': (exchange) => sendHtml(exchange, '<!doctype html><title>App</title>'),
      '/app/probe.mjs': ({ response }) => send(response, headers, script(join(project, 'probe.mjs'))),
      '/app/winnow/:file': ({ response, params: part }) =>
        send(response, headers, script(join(installed, 'dist', part.file ?? ''))),
    },
  })
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }')
  await pack()
  for (const name of ['probe.mjs', 'run-probe.mjs'])
    copyFileSync(join(root, 'test', 'client', name), join(project, name))
}, 180_000)
afterAll(async () => {
  await site.stop()
  folder.remove()
})

/** Packs the client as for publication, and installs it into an empty project. */
async function pack(): Promise<void> {
  const built = join(folder.path, 'built')
  await run(process.execPath, [join(root, 'client', 'build.mjs'), built])
  await run('npm', ['pack', built, '--ignore-scripts', '--pack-destination', folder.path])
  const archive = readdirSync(folder.path).find((name) => name.endsWith('.tgz')) ?? ''
  await run('npm', ['install', '--no-audit', '--no-fund', '--offline', join(folder.path, archive)])
}

async function run(program: string, args: string[]): Promise<string> {
  const child = spawn(program, args, { cwd: project, stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  expect({ program, code: child.exitCode, output: child.exitCode === 0 ? '' : stdout + stderr }).toEqual({
    ...{ program, code: 0, output: '' },
  })
  return stdout
}

const probeInput = () => ({ url: inject('deployment').urls[0] ?? '', key: teamKey(), site: site.url })

/** Result of the probe in every runtime. */
const expectedResult = {
  title: 'string',
  hasMarkdownAndLinks: true,
  file: true,
  paths: ['/pages/1', '/pages/2', '/pages/3'],
  lines: 3,
  authenticationError: [true, 'UNAUTHORIZED', 32],
  connectionError: [true, 'CONNECTION_FAILED', 2],
  aborted: 'AbortError',
  webhook: [true, 'wrong'],
  signed: 'crawl.page',
}

const runProbe = async (program: string, args: string[]) =>
  JSON.parse(await run(program, [...args, 'run-probe.mjs', JSON.stringify(probeInput())]))

describe('the packed client', () => {
  it('contains only built files, has no dependencies, and has the version of the service', () => {
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    const service = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(manifest).toMatchObject({ name: 'winnow-client', version: service.version, private: false })
    expect(readdirSync(installed)).toEqual(
      expect.arrayContaining(['README.md', 'LICENSE', 'dist', 'package.json']),
    )
    expect(readdirSync(installed)).not.toContain('src')
    const library = readFileSync(join(installed, 'dist', 'winnow.js'), 'utf8')
    expect(library).not.toMatch(/from '(?!\.\/)/)
  })

  it('includes the command line, which scrapes a page', async () => {
    const winnow = join(project, 'node_modules', '.bin', 'winnow')
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(await run(winnow, ['--version'])).toBe(`winnow ${version}\n`)
    const { url, key } = probeInput()
    const connection = ['--url', url, '--key', key]
    expect(await run(winnow, [...connection, 'scrape', `${site.url}/pages/6`])).toContain('# Page 6')
  })

  it('works in Node', async () => {
    expect(await runProbe(process.execPath, [])).toEqual(expectedResult)
  })

  it.skipIf(skipNote !== '')(`works in Deno with access to the network only${skipNote}`, async () => {
    const allowed = ['run', '--no-prompt', '--no-lock', '--allow-net=127.0.0.1']
    expect(await runProbe(join(runtimes ?? '', 'deno'), allowed)).toEqual(expectedResult)
  })

  it.skipIf(skipNote !== '')(`works in Bun${skipNote}`, async () => {
    expect(await runProbe(join(runtimes ?? '', 'bun'), ['run'])).toEqual(expectedResult)
  })

  it('works in a page of another origin', async () => {
    const browser = await chromium.launch({ executablePath: chromiumPath ?? '' })
    try {
      const page = await browser.newPage()
      await page.goto(`${site.url}/app`)
      // The code is a string, because the test runner transforms imports of functions, and a page cannot run the
      // result.
      const result =
        await page.evaluate(`Promise.all([import('./app/winnow/index.js'), import('./app/probe.mjs')])
        .then(([library, { probe }]) => probe(library, ${JSON.stringify(probeInput())}))`)
      expect(result).toEqual(expectedResult)
    } finally {
      await browser.close()
    }
  })

  it('has types that compile in a strict program without Node, like the examples of its README', async () => {
    const blocks = [...readFileSync(join(root, 'client', 'README.md'), 'utf8').matchAll(/```ts\n(.*?)```/gs)]
    expect(blocks.length).toBeGreaterThan(5)
    for (const [index, [, code]] of blocks.entries()) {
      writeFileSync(join(project, `example-${index}.ts`), `${code}\nexport {}\n`)
    }
    const compilerOptions = {
      ...{ module: 'nodenext', target: 'es2022', strict: true, noEmit: true, skipLibCheck: false },
      ...{ lib: ['es2022', 'esnext.disposable', 'dom', 'dom.iterable', 'dom.asynciterable'], types: [] },
      exactOptionalPropertyTypes: true,
    }
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    const typescript = createRequire(import.meta.url).resolve('typescript/package.json')
    const tsc = join(typescript, '..', 'bin', 'tsc')
    await run(process.execPath, [tsc, '--project', project])
    // Also compile the library code without Node types, because other runtimes do not have the APIs of Node.
    await run(process.execPath, [tsc, '--project', join(root, 'client', 'tsconfig.library.json')])
  })
})
