import { existsSync, readFileSync } from 'node:fs'
import { runQuietly } from './child.mjs'
import { onPath } from './path.mjs'

const overallLimit = 10 * 60_000
const options = [
  '-o',
  'DPkg::Lock::Timeout=60',
  '-o',
  'Dpkg::Use-Pty=0',
  '-o',
  'Acquire::Retries=1',
  '-o',
  'Acquire::http::Timeout=20',
  '-o',
  'Acquire::https::Timeout=20',
]

/** @returns {boolean} whether this is a system of the Debian family */
export function hasApt(environment = process.env, osRelease = '/etc/os-release') {
  if (!existsSync(osRelease) || !onPath('apt-get', environment)) return false
  return /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(readFileSync(osRelease, 'utf8'))
}

/**
 * Installs what can be installed. Never throws: a machine without network or with a broken mirror goes on without.
 * @param {import('./tool-list.mjs').Tool[]} tools
 * @param {NodeJS.ProcessEnv} environment
 * @returns {Promise<Record<string, string>>} by name of the tool, why it could not be installed
 */
export async function installWithApt(tools, environment) {
  const deadline = Date.now() + overallLimit
  /** @param {string} file @param {string[]} args */
  const run = (file, args) =>
    runQuietly(file, args, {
      environment: { ...environment, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
      limit: Math.max(1000, deadline - Date.now()),
    })
  // An earlier run that was cut short leaves packages unpacked only, and apt-get then refuses everything.
  await run('dpkg', ['--configure', '-a'])
  const update = await run('apt-get', [...options, 'update'])
  const known = await knownPackages(tools, run)
  /** @param {string[]} packages */
  const install = (packages) =>
    run('apt-get', [...options, 'install', '--yes', '--no-remove', '--no-install-recommends', ...packages])

  const wanted = tools.flatMap(packagesOf).filter((name) => known.has(name))
  const together = wanted.length > 0 ? await install(wanted) : { code: 0, output: '', overdue: false }
  /** @type {Record<string, string>} */
  const failures = {}
  for (const tool of tools) {
    const packages = packagesOf(tool).filter((name) => known.has(name))
    const [main = ''] = tool.packages
    if (!known.has(main)) failures[tool.name] = `apt-get does not know the package ${main}${because(update)}`
    if (together.code === 0 || packages.length === 0) continue
    // One package that cannot be had must not cost the others.
    const alone = tools.length > 1 && Date.now() < deadline ? await install(packages) : together
    if (alone.code !== 0) failures[tool.name] ??= `apt-get could not install it${because(alone)}`
  }
  return failures
}

/**
 * apt-get installs nothing at all when it does not know one of the names. A package that only points to a snap counts as
 * unknown, since it brings no program.
 * @param {import('./tool-list.mjs').Tool[]} tools
 * @param {(file: string, args: string[]) => Promise<{ output: string }>} run
 */
async function knownPackages(tools, run) {
  const { output } = await run('apt-cache', ['policy', ...tools.flatMap(packagesOf)])
  const known = new Set()
  for (const [, name, candidate = ''] of output.matchAll(/^(\S+):\n.*\n\s+Candidate: (.*)$/gm)) {
    if (candidate !== '(none)' && !candidate.includes('snap')) known.add(name)
  }
  return known
}

/** @param {import('./tool-list.mjs').Tool} tool */
function packagesOf({ packages, companions = [] }) {
  return [...packages, ...companions]
}

/** @param {{ code: number, output: string, overdue: boolean }} result */
function because({ code, output, overdue }) {
  if (overdue) return ' in ten minutes'
  const lines = output.split('\n')
  const complaint =
    lines.find((line) => line.startsWith('E: ')) ?? lines.find((line) => line.startsWith('W: '))
  return complaint ? ` (${complaint.slice(0, 300)})` : code === 0 ? '' : ` (code ${code})`
}
