import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { SettingsError } from '../settings.ts'

const run = promisify(execFile)

/** A path that leads to no browser would show as empty pages, much later. */
export async function checkChromium(path: string | undefined): Promise<void> {
  if (path === undefined) return
  const said = await run(path, ['--version'], { timeout: 10_000, env: {} }).then(
    ({ stdout }) => stdout,
    (thrown: Error) => thrown,
  )
  if (typeof said === 'string' && /chrom/i.test(said)) return
  const reason = typeof said === 'string' ? 'what it starts is no Chromium' : 'it cannot be started'
  throw new SettingsError(
    `CHROMIUM_PATH=${path} cannot be used: ${reason}. Set it to a Chromium or Chrome, or leave it out to have one found.`,
  )
}
