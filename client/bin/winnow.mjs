#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs'
import module from 'node:module'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const resolvePath = (path) => fileURLToPath(new URL(path, import.meta.url))
const { version } = JSON.parse(readFileSync(resolvePath('../package.json'), 'utf8'))
const argv = process.argv.slice(2)

if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V'))
  process.stdout.write(`winnow ${version}\n`)
else if (existsSync(resolvePath('../src/cli/main.ts')) && process.features.typescript)
  await start('../src/cli/main.ts')
else if (existsSync(resolvePath('../dist/cli/main.js'))) await start('../dist/cli/main.js')
else await startWithInstalledNode()

async function start(entry) {
  // With the cache, the second start reads compiled code. A temporary folder is not safe, because other users can write
  // there.
  const cacheFolder = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  if (isAbsolute(cacheFolder)) module.enableCompileCache?.(join(cacheFolder, 'winnow'))
  const { main } = await import(entry)
  await main({ argv, version, project: projectFolder() })
}

/** Runs the program in the repository if the current Node is too old to run the sources. */
async function startWithInstalledNode() {
  const { status, isMissing } = await runWithInstalledNode()
  if (isMissing) {
    process.stderr.write(
      `winnow: Node ${process.versions.node} cannot run this from the repository. Run "npm start" once, which brings a newer one, or install Node 24.\n`,
    )
  }
  process.exitCode = status
}

/** Runs the program with the Node that `npm start` installs if the Node of the machine is too old. */
async function runWithInstalledNode() {
  const nodeModule = resolvePath('../../prepare/node.mjs')
  if (!existsSync(nodeModule)) return { status: 1, isMissing: true }
  const [{ findNode }, { paths }] = await Promise.all([
    import(nodeModule),
    import(resolvePath('../../prepare/paths.mjs')),
  ])
  const node = findNode(paths)
  if (!node || node === process.execPath) return { status: 1, isMissing: true }
  const { spawnSync } = await import('node:child_process')
  // Ctrl-C reaches both processes; only the child process handles it.
  process.on('SIGINT', () => {})
  const { status } = spawnSync(node, [resolvePath('./winnow.mjs'), ...argv], { stdio: 'inherit' })
  return { status: status ?? 1, isMissing: false }
}

function projectFolder() {
  return existsSync(resolvePath('../../prepare/run.mjs')) ? resolvePath('../..') : undefined
}
