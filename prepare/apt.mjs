import { existsSync, readFileSync } from 'node:fs'
import { runQuietly } from './child.mjs'
import { onPath } from './path.mjs'

const totalTimeoutMs = 10 * 60_000
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

/** Returns true if this is a system of the Debian family with apt-get. */
export function hasApt(environment = process.env, osRelease = '/etc/os-release') {
  if (!existsSync(osRelease) || !onPath('apt-get', environment)) return false
  return /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(readFileSync(osRelease, 'utf8'))
}

/**
 * Installs the available tools. Never throws, so that a machine without network or mirror runs without the tools.
 * @param {import('./tool-list.mjs').Tool[]} tools
 * @param {NodeJS.ProcessEnv} environment
 * @returns {Promise<Record<string, string>>} errors of failed installs, by name of the tool
 */
export async function installWithApt(tools, environment) {
  const deadline = Date.now() + totalTimeoutMs
  /** @param {string} file @param {string[]} args */
  const run = (file, args) =>
    runQuietly(file, args, {
      environment: { ...environment, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
      limit: Math.max(1000, deadline - Date.now()),
    })
  // An interrupted run leaves packages unconfigured, and apt-get then rejects every command.
  await run('dpkg', ['--configure', '-a'])
  const update = await run('apt-get', [...options, 'update'])
  const known = await findKnownPackages(tools, run)
  /** @param {string[]} packages */
  const install = (packages) =>
    run('apt-get', [...options, 'install', '--yes', '--no-remove', '--no-install-recommends', ...packages])

  const knownNames = tools.flatMap(packagesOf).filter((name) => known.has(name))
  const jointInstall =
    knownNames.length > 0 ? await install(knownNames) : { code: 0, output: '', hasTimedOut: false }
  /** @type {Record<string, string>} */
  const failures = {}
  for (const tool of tools) {
    const packages = packagesOf(tool).filter((name) => known.has(name))
    const [main = ''] = tool.packages
    if (!known.has(main))
      failures[tool.name] = `apt-get does not know the package ${main}${formatReason(update)}`
    if (jointInstall.code === 0 || packages.length === 0) continue
    // Each tool is installed separately, because one unavailable package makes the joint install fail.
    const separateInstall = tools.length > 1 && Date.now() < deadline ? await install(packages) : jointInstall
    if (separateInstall.code !== 0)
      failures[tool.name] ??= `apt-get could not install it${formatReason(separateInstall)}`
  }
  return failures
}

/**
 * Returns the names of the available packages, because apt-get installs nothing if one name is unknown. A package
 * that only installs a snap counts as unknown, because it contains no program.
 * @param {import('./tool-list.mjs').Tool[]} tools
 * @param {(file: string, args: string[]) => Promise<{ output: string }>} run
 */
async function findKnownPackages(tools, run) {
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

/** @param {{ code: number, output: string, hasTimedOut: boolean }} result */
function formatReason({ code, output, hasTimedOut }) {
  if (hasTimedOut) return ' in ten minutes'
  const lines = output.split('\n')
  const errorLine =
    lines.find((line) => line.startsWith('E: ')) ?? lines.find((line) => line.startsWith('W: '))
  return errorLine ? ` (${errorLine.slice(0, 300)})` : code === 0 ? '' : ` (code ${code})`
}
