import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Example } from './read-examples.ts'
import { type Ran, runShell } from './run-shell.ts'

const root = join(import.meta.dirname, '../..')

/** What the compiler says of the examples in TypeScript, with the settings of the project: running them only strips types. */
export async function checkTypes(examples: readonly Example[], folder: string): Promise<Ran> {
  const place = join(folder, 'types')
  mkdirSync(join(place, 'node_modules'), { recursive: true })
  symlinkSync(join(root, 'node_modules/firecrawl'), join(place, 'node_modules/firecrawl'))
  writeFileSync(join(place, 'package.json'), '{"type":"module"}')
  const settings = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      paths: { 'winnow-client': [join(root, 'client/src/index.ts')] },
      typeRoots: [join(root, 'node_modules/@types')],
    },
    include: ['*.ts'],
  }
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify(settings))
  for (const { page, line, code } of examples)
    writeFileSync(join(place, `${page.replaceAll('/', '_')}_${line}.ts`), code)
  return runShell(`"${join(root, 'node_modules/.bin/tsc')}" --noEmit -p .`, {
    folder: place,
    environment: {},
  })
}
