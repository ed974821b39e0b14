import type { Command, Option, Values } from './command.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import { generalOptions, removedOptions } from './options.ts'
import { parseArguments } from './parse-arguments.ts'
import { requestBody } from './request.ts'
import { shellWord } from './safe-text.ts'
import { commands } from './table.ts'
import { UsageError } from './usage-error.ts'

export interface Start {
  argv: readonly string[]
  version: string
  /** The folder of the project that this program is part of, if it is. */
  project: string | undefined
}

export async function runCommand(start: Start, signal: AbortSignal): Promise<ExitCode> {
  const [first, ...others] = start.argv
  const argv = first === 'help' ? [...others, '--help'] : start.argv
  const { path, command, values, positionals } = parseArguments(argv, commands, [
    ...generalOptions,
    ...removedOptions,
  ])
  if (values.flags.has('version')) {
    process.stdout.write(`winnow ${start.version}\n`)
    return exitCodes.done
  }
  if (values.flags.has('help')) return help(path, process.stdout)
  if (!command?.load) {
    await help(path, process.stderr)
    return exitCodes.usage
  }
  const args = bindArguments(command, path, positionals)
  const { run } = await command.load()
  const context = await makeContext(start, { values, options: command.options ?? [] }, signal)
  return run({ ...context, args })
}

async function help(path: readonly Command[], stream: NodeJS.WriteStream): Promise<ExitCode> {
  const { helpText } = await import('./help.ts')
  stream.write(helpText(commands, path))
  return exitCodes.done
}

function bindArguments(command: Command, path: readonly Command[], positionals: readonly string[]) {
  const wanted = command.arguments ?? []
  const last = wanted.at(-1)
  const bound = wanted.map((each, index) =>
    each === last && each.isRepeated ? positionals.slice(index) : positionals.slice(index, index + 1),
  )
  const name = ['winnow', ...path.map((each) => each.name)].join(' ')
  const missing = wanted.find((each, index) => !each.isOptional && bound[index]?.length === 0)
  if (missing)
    throw new UsageError(`${missing.name} is missing: ${missing.description}. ${name} --help shows examples.`)
  const extra = last?.isRepeated ? undefined : positionals[wanted.length]
  if (extra !== undefined)
    throw new UsageError(`"${extra}" is too much here. ${name} --help shows the arguments.`)
  for (const [index, each] of wanted.entries()) {
    const wrong = each.choices && bound[index]?.find((value) => !each.choices?.includes(value))
    if (wrong !== undefined)
      throw new UsageError(`${each.name} is one of ${each.choices?.join(', ')}, not "${wrong}".`)
  }
  return bound
}

async function makeContext(
  { project }: Start,
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
  if (warning !== undefined) terminal.note(warning)
  for (const { name, description } of removedOptions)
    if (values.flags.has(name)) terminal.note(`The option --${name} was removed: ${description}.`)
  return {
    // An empty key and not none: the library would look into the environment once more.
    // A service on this machine that does not answer is not there; the error should come without a wait.
    winnow: new Winnow({ baseUrl, apiKey: apiKey ?? '', ...(isLocal ? { retries: 1 } : {}) }),
    connection: { baseUrl, apiKey },
    ...{ terminal, values, signal, commands },
    body: requestBody(options, values),
    repeat: url === undefined ? '' : ` --url ${shellWord(url)}`,
  }
}
