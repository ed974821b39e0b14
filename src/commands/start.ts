import { join } from 'node:path'
import { keyFile } from '../accounts/key-file.ts'
import { compose, type Service } from '../compose.ts'
import { isLoopback, readLauncher, type Settings, SettingsError } from '../settings.ts'
import { version } from '../version.ts'
import { checkChromium } from './check-chromium.ts'
import { ensureFirstKey } from './first-key.ts'
import { installLastResort } from './last-resort.ts'
import { explainStart } from './start-failure.ts'
import { onStopRequest } from './stop-requests.ts'

/** How long running calls may continue after a signal to stop. */
const patience = 20_000

export async function start(settings: Settings): Promise<void> {
  try {
    await startOrThrow(settings)
  } catch (thrown) {
    const explained = explainStart(thrown, settings)
    throw explained === undefined ? thrown : new SettingsError(explained)
  }
}

async function startOrThrow(settings: Settings): Promise<void> {
  // A terminal or a pipe that has gone must not end the service.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {})
  const [service] = await Promise.all([compose(settings), checkChromium(settings.chromiumPath)])
  for (const warning of settings.warnings) service.log.warn({}, warning)
  const made = await ensureFirstKey({
    store: service.store,
    file: keyFile(settings.store.dataDir),
    given: settings.firstKey,
    credits: settings.limits.teamCredits,
  })
  installLastResort(service)
  stopOnRequest(service)
  await service.listen()
  const link = await consoleLink(service, settings)
  const isTerminal = process.stdout.isTTY === true
  process.stdout.write(startScreen(service, settings, { made, link, isTerminal }))
}

function stopOnRequest(service: Service): void {
  onStopRequest({ log: service.log, launcher: readLauncher() }, async () => {
    await service.stop(patience)
    process.exit(0)
  })
}

/** Only where the link can be opened: on this machine, by an address of its own, with a key to be had for it. */
async function consoleLink(service: Service, { http, role }: Settings): Promise<string | undefined> {
  const url = service.publicUrl()
  const isHere = isLoopback(http.host) && isLoopback(new URL(url).hostname.replace(/^\[|\]$/g, ''))
  if (!isHere || role === 'worker') return undefined
  const code = await service.newConsoleCode()
  return code === undefined ? undefined : `${url}/console/#code=${code}`
}

interface Shown {
  /** The key, if it was just made. */
  made: string | undefined
  link: string | undefined
  /** True if what is shown is read by a person and not kept. */
  isTerminal: boolean
}

/** A key does not belong in a log, where others read it for as long as the log is kept: it is shown in a terminal only. */
function keyLine({ store, firstKey }: Settings, made: string | undefined, isTerminal: boolean): string {
  const path = join(store.dataDir, 'api-key')
  if (made && isTerminal)
    return `  Key of the first team, shown once and stored in ${path}:\n\n      ${made}\n`
  if (made) return `  Key of the first team: in ${path}\n`
  return `  Key: the one created before${firstKey ? ' (API_KEY)' : `, in ${path}`}\n`
}

function startScreen(service: Service, settings: Settings, { made, link, isTerminal }: Shown): string {
  const url = service.publicUrl()
  const rows = service.capabilities().map(({ name, available, note, enable, place }) => {
    const hint = enable ?? place
    const how = hint === undefined ? '' : ` (${hint})`
    return `  ${available ? '✓' : '·'} ${name.padEnd(27)} ${note}${how}`
  })
  const example = `  curl ${url}/v2/scrape -H 'authorization: Bearer ${made && isTerminal ? made : '<key>'}' \\
    -H 'content-type: application/json' -d '{"url":"https://example.com"}'`
  return `
  Winnow ${version} listens on ${url} as ${settings.role}; guides and reference are at ${url}/docs
${link === undefined ? '' : `  Console, once within 10 minutes and from this machine: ${link}\n`}
${rows.join('\n')}

${settings.http.auth ? keyLine(settings, made, isTerminal) : '  AUTH=off: every call from this machine acts as the first team\n'}
${example}

`
}
