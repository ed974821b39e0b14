import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { SettingsError } from '../settings.ts'

const run = promisify(execFile)

/** Without this check, a wrong path would only show much later, as empty pages. */
export async function checkChromium(path: string | undefined): Promise<void> {
  if (path === undefined) return
  const said = await run(path, ['--version'], { timeout: 10_000, env: {} }).then(
    ({ stdout }) => stdout,
    (thrown: Error) => thrown,
  )
  if (typeof said === 'string' && /chrom/i.test(said)) return
  const reason = typeof said === 'string' ? 'it is not a Chromium' : 'it cannot be started'
  throw new SettingsError(
    `CHROMIUM_PATH=${path} cannot be used: ${reason}. Set it to a Chromium or Chrome, or unset it so that the start looks for one.`,
  )
}
