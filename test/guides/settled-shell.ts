import type { Ran } from './run-shell.ts'

type Run = (code: string, variables: Record<string, string>) => Promise<Ran>

/** Names in answers, and the variables that the commands after them use. */
const variables = { id: 'ID', scrapeId: 'SCRAPE_ID' }
const unfinished = /"status":"(?:scraping|processing|pending|queued)"/
const maxTries = 100

/**
 * Commands of one page, one after the other. `$ID` is the `id` of an answer before, and `$SCRAPE_ID` its `scrapeId`; a
 * command that asks after `$ID` is given again until that work is done.
 */
export function settledShell(run: Run): (code: string) => Promise<Ran> {
  const known: Record<string, string> = {}
  return async (code) => {
    const asks = /\$ID\b/.test(code) && !/-X|-d /.test(code)
    let ran = await run(code, known)
    for (let tries = 1; asks && unfinished.test(ran.stdout) && tries < maxTries; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 200))
      ran = await run(code, known)
    }
    for (const [name, variable] of Object.entries(variables)) {
      const value = new RegExp(`"${name}":"([^"]+)"`).exec(ran.stdout)?.[1]
      if (value !== undefined) known[variable] = value
    }
    return ran
  }
}
