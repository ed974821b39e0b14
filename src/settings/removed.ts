/** Settings of earlier versions, and what became of them. The start logs a warning for each one that is set and ignores it. */
const removedVariables: Readonly<Record<string, string>> = {
  LEARNED_EXTRACTORS: 'values are no longer read from places that earlier pages of a site have taught',
}

/** Returns a warning for each removed setting that is set. */
export function findRemovedVariables(environment: Record<string, string | undefined>): string[] {
  return Object.entries(removedVariables)
    .filter(([name]) => environment[name] !== undefined)
    .map(([name, reason]) => `${name} was removed and is ignored: ${reason}. Delete the setting.`)
}
