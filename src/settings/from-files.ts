import { readFileSync } from 'node:fs'

type Variables = Record<string, string | undefined>

export interface FromFiles {
  /** The variables, with the content of the files in place of their paths. */
  given: Variables
  /** What is wrong with them, as lines of the list of problems. */
  problems: string[]
}

/**
 * `NAME_FILE` names a file that holds the value of the variable NAME: as engines hand secrets to containers, where an
 * environment can be read by anyone who may inspect one.
 */
export function readFiles(environment: Variables, names: string[]): FromFiles {
  const given = { ...environment }
  const problems: string[] = []
  for (const name of names) {
    const path = given[`${name}_FILE`]
    if (path === undefined) continue
    if (given[name] !== undefined) problems.push(`${name} is set twice: also by ${name}_FILE`)
    try {
      // Editors and `echo` end a file with a line break that is no part of the secret.
      given[name] = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
      if (given[name] === '') problems.push(`${name}_FILE names a file that is empty (found "${path}")`)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      problems.push(`${name}_FILE names a file that cannot be read: ${code} (found "${path}")`)
    }
  }
  return { given, problems }
}
