import { hasApt } from './apt.mjs'

/**
 * Returns the reason why a tool is missing, and how to install it, for the startup messages.
 * @param {import('./tool-list.mjs').Tool} tool
 * @param {import('./detect-tools.mjs').ToolStatus} status
 * @param {string | undefined} failure error of the last install
 * @param {NodeJS.ProcessEnv} environment
 */
export function advice(tool, status, failure, environment) {
  // A path that the user set does not work, and the status already contains the reason.
  if (status.by) return status.missing
  const refused = Object.entries(status.refused ?? {}).map(
    ([path, reason]) => `${path} does not run: ${reason}`,
  )
  const reasons = [
    refused.length > 0 ? refused.join('; ') : 'not found',
    failure,
    getSkipReason(environment, failure),
  ]
  const fixes = [getInstallHint(tool, environment), tool.variable && `set ${tool.variable}`]
  return `${reasons.filter(Boolean).join('; ')}. Used for ${tool.enables}. ${fixes.filter(Boolean).join(', or ')}`
}

/**
 * @param {NodeJS.ProcessEnv} environment
 * @param {string | undefined} failure
 */
function getSkipReason(environment, failure) {
  if (environment.PREPARE_TOOLS === 'off') return 'PREPARE_TOOLS=off prevents its installation'
  if (failure || !hasApt(environment) || process.getuid?.() === 0) return undefined
  return 'not installed, because this user is not root'
}

/**
 * @param {import('./tool-list.mjs').Tool} tool
 * @param {NodeJS.ProcessEnv} environment
 */
function getInstallHint(tool, environment) {
  if (!hasApt(environment)) return `Install ${tool.name} with the package manager of this system`
  return `As root: apt-get install ${tool.packages.join(' ')}`
}
