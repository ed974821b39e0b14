import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { Command, Option, Values } from './command.ts'
import { nearest } from './nearest.ts'
import { UsageError } from './usage-error.ts'

interface Parsed {
  path: Command[]
  command: Command | undefined
  values: Values
  positionals: string[]
}

type Wanted = NonNullable<ParseArgsConfig['options']>

/** Reads a command line by the table of commands. Options may stand before the command too. */
export function parseArguments(
  argv: readonly string[],
  commands: readonly Command[],
  general: readonly Option[],
): Parsed {
  const { path, rest } = findCommand(argv, commands, general)
  const command = path.at(-1)
  const options = [...general, ...(command?.options ?? [])]
  const { values, positionals } = parseStrictly(rest, options)
  return { path, command, values: valuesOf(options, values), positionals }
}

function findCommand(argv: readonly string[], commands: readonly Command[], general: readonly Option[]) {
  const path: Command[] = []
  const rest = [...argv]
  let choices: readonly Command[] | undefined = commands
  while (choices) {
    const index = firstPositional(rest, [...general, ...path.flatMap(({ options = [] }) => options)])
    if (index === undefined) break
    const [name = ''] = rest.splice(index, 1)
    const command: Command | undefined = choices.find((each) => each.name === name)
    if (!command) throw unknownCommand(name, choices, path)
    path.push(command)
    choices = command.commands
  }
  return { path, rest }
}

function firstPositional(args: string[], options: readonly Option[]): number | undefined {
  const { tokens } = parseArgs({
    args,
    options: wanted(options),
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  return tokens.find((token) => token.kind === 'positional')?.index
}

function unknownCommand(name: string, choices: readonly Command[], path: readonly Command[]): UsageError {
  const names = choices.map((each) => each.name)
  const before = ['winnow', ...path.map((each) => each.name)].join(' ')
  return new UsageError(`There is no command "${name}".${guess(name, names)} ${before} --help lists them.`)
}

const guess = (name: string, names: readonly string[]) => {
  const close = nearest(name, names)
  return close === undefined ? '' : ` Do you mean "${close}"?`
}

function wanted(options: readonly Option[]): Wanted {
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
      options: wanted(options),
      strict: true,
      allowPositionals: true,
      allowNegative: true,
    })
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown
    const [, dashes = '', unknown] = /^Unknown option '(--?)([^']*)'/.exec(thrown.message) ?? []
    if (unknown === undefined) throw new UsageError(thrown.message)
    const names = options.map(({ name }) => name)
    const other =
      dashes === '--'
        ? ` What the service knows besides flags: --option ${unknown}=VALUE`
        : ' --help lists them.'
    throw new UsageError(`There is no option "${dashes}${unknown}" here.${guess(unknown, names)}${other}`)
  }
}

function valuesOf(options: readonly Option[], raw: Record<string, unknown>): Values {
  const flags = new Set<string>()
  const off = new Set<string>()
  const texts = new Map<string, string>()
  const numbers = new Map<string, number>()
  const lists = new Map<string, readonly string[]>()
  for (const option of options) {
    const value = raw[option.name]
    if (value === true) flags.add(option.name)
    else if (value === false) off.add(option.name)
    else if (Array.isArray(value)) lists.set(option.name, checkAll(option, value.map(String)))
    else if (typeof value !== 'string') continue
    else if (option.kind === 'number') numbers.set(option.name, numberOf(option, value))
    else texts.set(option.name, check(option, value))
  }
  return { flags, off, texts, numbers, lists }
}

function numberOf(option: Option, text: string): number {
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number))
    throw new UsageError(`--${option.name} takes a number, not "${text}".`)
  return number
}

function checkAll(option: Option, values: string[]): string[] {
  // A choice holds no comma; other values may.
  const each = option.choices ? values.flatMap((value) => value.split(',')) : values
  return each.map((value) => check(option, value))
}

function check(option: Option, value: string): string {
  if (option.removedChoices?.includes(value)) return value
  if (option.choices && !option.choices.includes(value)) {
    throw new UsageError(
      `--${option.name} takes one of ${option.choices.join(', ')}, not "${value}".${guess(value, option.choices)}`,
    )
  }
  return value
}
