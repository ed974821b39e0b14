import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns the value that the user set in the environment or in `.env`. A detected path must not override it.
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
