import { spawnSync } from 'node:child_process'
import { copyFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

// What `npm pack` packs: JavaScript and declarations. In the repository the sources run as they are.
const folder = import.meta.dirname
const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'))
rmSync(join(folder, 'dist'), { recursive: true, force: true })
const { status } = spawnSync(process.execPath, [join(typescript, 'bin', 'tsc'), '--project', folder], {
  stdio: 'inherit',
})
copyFileSync(join(folder, '..', 'LICENSE'), join(folder, 'LICENSE'))
process.exitCode = status ?? 1
