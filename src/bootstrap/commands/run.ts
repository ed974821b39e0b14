import { createLog } from '../../platform/log.ts'
import { readSettings, type Settings, SettingsError } from '../settings.ts'

export async function run([command = 'start', ...args]: string[]): Promise<void> {
  // Files of this process may contain pages of callers, so other users of this machine must not be able to read them.
  process.umask(0o077)
  try {
    await runCommand(command, args)
  } catch (thrown) {
    const text = thrown instanceof Error ? (isOperatorError(thrown) ? thrown.message : thrown.stack) : thrown
    process.stderr.write(`${text}\n`)
    process.exit(1)
  }
}

async function runCommand(command: string, args: string[]): Promise<void> {
  switch (command) {
    case 'start':
      return (await import('./start.ts')).start(readSettings())
    case 'key':
      return (await import('./key.ts')).key(readSettings(), args)
    case 'migrate':
      return migrateStore(readSettings())
    case 'doctor':
      return (await import('./doctor.ts')).doctor(readSettings())
    default:
      throw new SettingsError(`Unknown command "${command}". Commands: start, key, migrate, doctor.`)
  }
}

async function migrateStore(settings: Settings): Promise<void> {
  const { openStore } = await import('../store.ts')
  const { store } = await openStore(settings, createLog(settings.log))
  await store.close()
  process.stdout.write('The store has the newest schema.\n')
}

function isOperatorError(thrown: Error): boolean {
  if (['SettingsError', 'UsageError', 'FolderInUse'].includes(thrown.constructor.name)) return true
  return 'code' in thrown && String(thrown.code).startsWith('ERR_PARSE_ARGS')
}
