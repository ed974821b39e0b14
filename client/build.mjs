import { spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'

// The content of the package: JavaScript and declarations. In the repository the sources run as they are.
// Without an argument it is made here, as `npm pack` wants it; else in a folder of its own, which can be packed as well.
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
const compile = [join(typescript, 'bin', 'tsc'), '--project', source, '--outDir', join(target, 'dist')]
process.exitCode = spawnSync(process.execPath, compile, { stdio: 'inherit' }).status ?? 1
