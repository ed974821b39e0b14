import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * What the user set, in the environment or in the project's `.env`: a path we found must not outrank either.
 * @param {string} name
 * @param {NodeJS.ProcessEnv} environment
 * @param {string} root
 * @returns {string | undefined}
 */
export function userSetting(name, environment, root) {
  if (environment[name]) return environment[name]
  const line = new RegExp(`^[ \\t]*(?:export )?${name}[ \\t]*=[ \\t]*(['"]?)(.*?)\\1[ \\t\\r]*$`, 'm').exec(
    envFile(root),
  )
  return line?.[2] || undefined
}

/** @param {string} root */
function envFile(root) {
  try {
    return readFileSync(join(root, '.env'), 'utf8')
  } catch {
    return ''
  }
}
