import { spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'

// Builds the package: JavaScript and declarations. In the repository, the sources run without a build.
// Without an argument, the output is written here for `npm pack`. With an argument, it goes to that folder, which can
// also be packed.
const source = import.meta.dirname
const target = process.argv[2] === undefined ? source : resolve(process.argv[2])

if (target !== source) {
  mkdirSync(target, { recursive: true })
  for (const name of ['package.json', 'README.md', 'bin']) {
    if (existsSync(join(source, name))) cpSync(join(source, name), join(target, name), { recursive: true })
  }
}
copyFileSync(join(source, '..', 'LICENSE'), join(target, 'LICENSE'))
rmSync(join(target, 'dist'), { recursive: true, force: true })
const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'))
const compilerArgs = [join(typescript, 'bin', 'tsc'), '--project', source, '--outDir', join(target, 'dist')]
process.exitCode = spawnSync(process.execPath, compilerArgs, { stdio: 'inherit' }).status ?? 1
