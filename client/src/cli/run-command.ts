import type { Command, Option, Values } from './command.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import { generalOptions, removedOptions } from './options.ts'
import { parseArguments } from './parse-arguments.ts'
import { requestBody } from './request.ts'
import { quoteForShell } from './safe-text.ts'
import { commands } from './table.ts'
import { UsageError } from './usage-error.ts'

export interface StartOptions {
  argv: readonly string[]
  version: string
  /** Folder of the repository, if this program is part of one. */
  project: string | undefined
}

export async function runCommand(start: StartOptions, signal: AbortSignal): Promise<ExitCode> {
  const [first, ...rest] = start.argv
  const argv = first === 'help' ? [...rest, '--help'] : start.argv
  const { path, command, values, positionals } = parseArguments(argv, commands, [
    ...generalOptions,
    ...removedOptions,
  ])
  if (values.flags.has('version')) {
    process.stdout.write(`winnow ${start.version}\n`)
    return exitCodes.done
  }
  if (values.flags.has('help')) return printHelp(path, process.stdout)
  if (!command?.load) {
    await printHelp(path, process.stderr)
    return exitCodes.usage
  }
  const args = bindArguments(command, path, positionals)
  const { run } = await command.load()
  const context = await createContext(start, { values, options: command.options ?? [] }, signal)
  return run({ ...context, args })
}

async function printHelp(path: readonly Command[], stream: NodeJS.WriteStream): Promise<ExitCode> {
  const { helpText } = await import('./help.ts')
  stream.write(helpText(commands, path))
  return exitCodes.done
}

function bindArguments(command: Command, path: readonly Command[], positionals: readonly string[]) {
  const declared = command.arguments ?? []
  const last = declared.at(-1)
  const boundValues = declared.map((argument, index) =>
    argument === last && argument.isRepeated ? positionals.slice(index) : positionals.slice(index, index + 1),
  )
  const name = ['winnow', ...path.map((part) => part.name)].join(' ')
  const missing = declared.find((argument, index) => !argument.isOptional && boundValues[index]?.length === 0)
  if (missing)
    throw new UsageError(`${missing.name} is missing: ${missing.description}. ${name} --help shows examples.`)
  const extra = last?.isRepeated ? undefined : positionals[declared.length]
  if (extra !== undefined)
    throw new UsageError(`"${extra}" is too much here. ${name} --help shows the arguments.`)
  for (const [index, argument] of declared.entries()) {
    const invalid =
      argument.choices && boundValues[index]?.find((value) => !argument.choices?.includes(value))
    if (invalid !== undefined)
      throw new UsageError(`${argument.name} is one of ${argument.choices?.join(', ')}, not "${invalid}".`)
  }
  return boundValues
}

async function createContext(
  { project }: StartOptions,
  { values, options }: { values: Values; options: readonly Option[] },
  signal: AbortSignal,
) {
  const [{ findConnection }, { openTerminal }, { Winnow }] = await Promise.all([
    import('./key.ts'),
    import('./terminal.ts'),
    import('../winnow.ts'),
  ])
  const terminal = openTerminal({
    ...{ stdout: process.stdout, stderr: process.stderr, environment: process.env },
    isQuiet: values.flags.has('quiet'),
  })
  const url = values.texts.get('url')
  const { baseUrl, apiKey, origin, isLocal, warning } = findConnection({
    ...{ url, key: values.texts.get('key'), environment: process.env },
    ...{ project, folder: process.cwd() },
  })
  if (values.flags.has('verbose')) terminal.warn(`Service: ${baseUrl} (${origin.url}). Key: ${origin.key}.`)
  if (warning !== undefined) terminal.info(warning)
  for (const { name, description } of removedOptions)
    if (values.flags.has(name)) terminal.info(`The option --${name} was removed: ${description}.`)
  return {
    // An empty key prevents the library from reading the environment again.
    // A local service that does not respond is probably not running, so the error must not wait for many retries.
    winnow: new Winnow({ baseUrl, apiKey: apiKey ?? '', ...(isLocal ? { retries: 1 } : {}) }),
    connection: { baseUrl, apiKey },
    ...{ terminal, values, signal, commands },
    body: requestBody(options, values),
    urlOption: url === undefined ? '' : ` --url ${quoteForShell(url)}`,
  }
}
