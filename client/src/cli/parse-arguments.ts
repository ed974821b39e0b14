import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { Command, Option, Values } from './command.ts'
import { suggestName } from './suggest-name.ts'
import { UsageError } from './usage-error.ts'

interface ParsedArguments {
  path: Command[]
  command: Command | undefined
  values: Values
  positionals: string[]
}

type OptionConfig = NonNullable<ParseArgsConfig['options']>

/** Parses a command line with the table of commands. Options may also precede the command. */
export function parseArguments(
  argv: readonly string[],
  commands: readonly Command[],
  general: readonly Option[],
): ParsedArguments {
  const { path, rest } = findCommand(argv, commands, general)
  const command = path.at(-1)
  const options = [...general, ...(command?.options ?? [])]
  const { values, positionals } = parseStrictly(rest, options)
  return { path, command, values: toValues(options, values), positionals }
}

function findCommand(argv: readonly string[], commands: readonly Command[], general: readonly Option[]) {
  const path: Command[] = []
  const rest = [...argv]
  let choices: readonly Command[] | undefined = commands
  while (choices) {
    const index = firstPositional(rest, [...general, ...path.flatMap(({ options = [] }) => options)])
    if (index === undefined) break
    const [name = ''] = rest.splice(index, 1)
    const command: Command | undefined = choices.find((candidate) => candidate.name === name)
    if (!command) throw unknownCommandError(name, choices, path)
    path.push(command)
    choices = command.commands
  }
  return { path, rest }
}

function firstPositional(args: string[], options: readonly Option[]): number | undefined {
  const { tokens } = parseArgs({
    args,
    options: toOptionConfig(options),
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  return tokens.find((token) => token.kind === 'positional')?.index
}

function unknownCommandError(
  name: string,
  choices: readonly Command[],
  path: readonly Command[],
): UsageError {
  const names = choices.map((command) => command.name)
  const parentName = ['winnow', ...path.map((command) => command.name)].join(' ')
  return new UsageError(
    `There is no command "${name}".${suggest(name, names)} ${parentName} --help lists them.`,
  )
}

const suggest = (name: string, names: readonly string[]) => {
  const suggestion = suggestName(name, names)
  return suggestion === undefined ? '' : ` Do you mean "${suggestion}"?`
}

function toOptionConfig(options: readonly Option[]): OptionConfig {
  return Object.fromEntries(
    options.map(({ name, short, kind }) => [
      name,
      {
        type: kind === 'flag' ? ('boolean' as const) : ('string' as const),
        ...(short === undefined ? {} : { short }),
        ...(kind === 'list' ? { multiple: true } : {}),
      },
    ]),
  )
}

function parseStrictly(args: string[], options: readonly Option[]) {
  try {
    return parseArgs({
      args,
      options: toOptionConfig(options),
      strict: true,
      allowPositionals: true,
      allowNegative: true,
    })
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown
    const [, dashes = '', unknown] = /^Unknown option '(--?)([^']*)'/.exec(thrown.message) ?? []
    if (unknown === undefined) throw new UsageError(thrown.message)
    const names = options.map(({ name }) => name)
    const hint =
      dashes === '--'
        ? ` What the service knows besides flags: --option ${unknown}=VALUE`
        : ' --help lists them.'
    throw new UsageError(`There is no option "${dashes}${unknown}" here.${suggest(unknown, names)}${hint}`)
  }
}

function toValues(options: readonly Option[], raw: Record<string, unknown>): Values {
  const flags = new Set<string>()
  const disabledFlags = new Set<string>()
  const texts = new Map<string, string>()
  const numbers = new Map<string, number>()
  const lists = new Map<string, readonly string[]>()
  for (const option of options) {
    const value = raw[option.name]
    if (value === true) flags.add(option.name)
    else if (value === false) disabledFlags.add(option.name)
    else if (Array.isArray(value)) lists.set(option.name, validateList(option, value.map(String)))
    else if (typeof value !== 'string') continue
    else if (option.kind === 'number') numbers.set(option.name, parseNumber(option, value))
    else texts.set(option.name, validateChoice(option, value))
  }
  return { flags, disabledFlags, texts, numbers, lists }
}

function parseNumber(option: Option, text: string): number {
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number))
    throw new UsageError(`--${option.name} takes a number, not "${text}".`)
  return number
}

function validateList(option: Option, values: string[]): string[] {
  // Only choices are split at commas, because other values may contain commas.
  const items = option.choices ? values.flatMap((value) => value.split(',')) : values
  return items.map((value) => validateChoice(option, value))
}

function validateChoice(option: Option, value: string): string {
  if (option.removedChoices?.includes(value)) return value
  if (option.choices && !option.choices.includes(value)) {
    throw new UsageError(
      `--${option.name} takes one of ${option.choices.join(', ')}, not "${value}".${suggest(value, option.choices)}`,
    )
  }
  return value
}
