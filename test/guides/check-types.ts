import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Example } from './read-examples.ts'
import { type Ran, runShell } from './run-shell.ts'

const root = join(import.meta.dirname, '../..')

/** Compiles the TypeScript examples with the settings of the project, because running them only strips types. */
export async function checkTypes(examples: readonly Example[], folder: string): Promise<Ran> {
  const typesFolder = join(folder, 'types')
  mkdirSync(join(typesFolder, 'node_modules'), { recursive: true })
  symlinkSync(join(root, 'node_modules/firecrawl'), join(typesFolder, 'node_modules/firecrawl'))
  writeFileSync(join(typesFolder, 'package.json'), '{"type":"module"}')
  const settings = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      paths: { 'winnow-client': [join(root, 'client/src/index.ts')] },
      typeRoots: [join(root, 'node_modules/@types')],
    },
    include: ['*.ts'],
  }
  writeFileSync(join(typesFolder, 'tsconfig.json'), JSON.stringify(settings))
  for (const { page, line, code } of examples)
    writeFileSync(join(typesFolder, `${page.replaceAll('/', '_')}_${line}.ts`), code)
  return runShell(`"${join(root, 'node_modules/.bin/tsc')}" --noEmit -p .`, {
    folder: typesFolder,
    environment: {},
  })
}
