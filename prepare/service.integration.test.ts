import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { pathsUnder, paths as real } from './paths.mjs'
import { bundleService, preparedService } from './service.mjs'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'service-'))
  cpSync(join(real.root, 'prepare', 'bundle.mjs'), join(root, 'prepare', 'bundle.mjs'))
  symlinkSync(join(real.root, 'console'), join(root, 'console'))
})
afterEach(() => {
  rmSync(root, { recursive: true })
})

function write(name: string, text: string): string {
  const path = join(root, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

it('bundles the service with its threads, resolves data files, and is outdated after a change of a source', async () => {
  write('package-lock.json', '{}')
  write('src/area/note.txt', 'beside the source')
  write(
    'src/area/thread.ts',
    "import { parentPort } from 'node:worker_threads'\nparentPort?.postMessage('from the thread' as string)\n",
  )
  const main = write(
    'src/area/start.ts',
    `import { readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
export function start(): void {
  console.log(readFileSync(new URL('./note.txt', import.meta.url), 'utf8'))
  new Worker(new URL('./thread.ts', import.meta.url)).on('message', (text: string) => console.log(text))
}
`,
  )
  write('src/main.ts', "import { start } from './area/start.ts'\nstart()\n")
  const paths = pathsUnder(root)
  expect(preparedService(paths)).toBeUndefined()
  await bundleService(paths, { environment: process.env, node: process.execPath })
  const program = preparedService(paths)
  const { stdout } = await promisify(execFile)(process.execPath, [program ?? ''])
  expect(stdout.split('\n')).toEqual(['beside the source', 'from the thread', ''])
  utimesSync(main, new Date(), new Date(0))
  expect(preparedService(paths)).toBeUndefined()
})
