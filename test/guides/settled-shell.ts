import type { Ran } from './run-shell.ts'

type Run = (code: string, variables: Record<string, string>) => Promise<Ran>

/** Fields in responses, and the variables with which later commands use their values. */
const variables = { id: 'ID', scrapeId: 'SCRAPE_ID' }
const unfinished = /"status":"(?:scraping|processing|pending|queued)"/
const maxTries = 100

/**
 * Creates a shell for the commands of one page. `$ID` is the `id` of an earlier response, and `$SCRAPE_ID` its
 * `scrapeId`. A command that reads the status of `$ID` is repeated until that job ends.
 */
export function settledShell(run: Run): (code: string) => Promise<Ran> {
  const values: Record<string, string> = {}
  return async (code) => {
    const readsStatus = /\$ID\b/.test(code) && !/-X|-d /.test(code)
    let result = await run(code, values)
    for (let tries = 1; readsStatus && unfinished.test(result.stdout) && tries < maxTries; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 200))
      result = await run(code, values)
    }
    for (const [name, variable] of Object.entries(variables)) {
      const value = new RegExp(`"${name}":"([^"]+)"`).exec(result.stdout)?.[1]
      if (value !== undefined) values[variable] = value
    }
    return result
  }
}
