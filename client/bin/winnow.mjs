#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs'
import module from 'node:module'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const { version } = JSON.parse(readFileSync(here('../package.json'), 'utf8'))
const argv = process.argv.slice(2)

if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V'))
  process.stdout.write(`winnow ${version}\n`)
else if (existsSync(here('../src/cli/main.ts')) && process.features.typescript)
  await start('../src/cli/main.ts')
else if (existsSync(here('../dist/cli/main.js'))) await start('../dist/cli/main.js')
else await withOwnNode()

async function start(program) {
  // The second start reads compiled code instead of the sources. Not from a folder for temporary files, where others write.
  const caches = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  if (isAbsolute(caches)) module.enableCompileCache?.(join(caches, 'winnow'))
  const { main } = await import(program)
  await main({ argv, version, project: projectFolder() })
}

/** In the repository, with a Node that is too old to run the sources as they are. */
async function withOwnNode() {
  const { status, isMissing } = await runWithOwnNode()
  if (isMissing) {
    process.stderr.write(
      `winnow: Node ${process.versions.node} cannot run this from the repository. Run "npm start" once, which brings a newer one, or install Node 24.\n`,
    )
  }
  process.exitCode = status
}

/** `npm start` has installed a Node of its own where that of the machine is too old. */
async function runWithOwnNode() {
  const preparation = here('../../prepare/node.mjs')
  if (!existsSync(preparation)) return { status: 1, isMissing: true }
  const [{ findNode }, { places }] = await Promise.all([
    import(preparation),
    import(here('../../prepare/paths.mjs')),
  ])
  const node = findNode(places)
  if (!node || node === process.execPath) return { status: 1, isMissing: true }
  const { spawnSync } = await import('node:child_process')
  // Ctrl-C reaches both; the one below decides what it means.
  process.on('SIGINT', () => {})
  const { status } = spawnSync(node, [here('./winnow.mjs'), ...argv], { stdio: 'inherit' })
  return { status: status ?? 1, isMissing: false }
}

function projectFolder() {
  return existsSync(here('../../prepare/run.mjs')) ? here('../..') : undefined
}
