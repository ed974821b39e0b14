import type { Argument, Command, Option } from './command.ts'
import { exitCodeMeanings } from './exit-codes.ts'
import { generalOptions } from './options.ts'

export function helpText(commands: readonly Command[], path: readonly Command[]): string {
  const command = path.at(-1)
  const name = ['winnow', ...path.map((each) => each.name)].join(' ')
  if (!command) return overview(commands)
  if (command.commands)
    return `${name}: ${command.summary}\n\n${section('Commands', rowsOf(command.commands))}\n${name} COMMAND --help shows more.\n`
  const options = command.options ?? []
  const examples = (command.examples ?? []).map((example) => `  ${example}\n`).join('')
  return [
    `${usage(name, command)}\n\n${capital(command.summary)}.\n`,
    section(
      'Arguments',
      (command.arguments ?? []).map((each) => [each.name, each.description]),
    ),
    section('Options', options.map(optionRow)),
    section('General options', generalOptions.map(optionRow)),
    examples === '' ? '' : `Examples:\n${examples}`,
  ]
    .filter((part) => part !== '')
    .join('\n')
}

export function usage(name: string, command: Command): string {
  const args = (command.arguments ?? []).map(shownArgument)
  return [name, ...args, ...(command.options?.length ? ['[options]'] : [])].join(' ')
}

export function optionSyntax({ name, short, kind, value }: Option): string {
  const long = kind === 'flag' ? `--${name}` : `--${name} ${value ?? 'VALUE'}`
  return short === undefined ? long : `-${short}, ${long}`
}

export function optionMeaning({ description, choices }: Option): string {
  return choices ? `${description}: ${choices.join(', ')}` : description
}

function shownArgument({ name, isOptional, isRepeated }: Argument): string {
  const shown = isRepeated ? `${name}...` : name
  return isOptional ? `[${shown}]` : shown
}

function overview(commands: readonly Command[]): string {
  const exits = Object.entries(exitCodeMeanings).map(([code, meaning]) => [code, meaning] as const)
  return [
    'winnow COMMAND [options]: web pages and files as data, from a Winnow service.\n',
    section('Commands', rowsOf(commands)),
    section('General options', generalOptions.map(optionRow)),
    section('Exit codes', exits),
    'winnow COMMAND --help shows more.\n',
  ].join('\n')
}

const rowsOf = (list: readonly Command[]) => list.map(({ name, summary }) => [name, summary] as const)
const optionRow = (option: Option) => [optionSyntax(option), optionMeaning(option)] as const
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const widest = 28

function section(title: string, rows: readonly (readonly [string, string])[] | readonly string[][]): string {
  if (rows.length === 0) return ''
  const width = Math.min(widest, Math.max(...rows.map(([name = '']) => name.length)))
  const lines = rows.map(([name = '', meaning = '']) =>
    name.length > width
      ? `  ${name}\n  ${' '.repeat(width)}  ${meaning}`
      : `  ${name.padEnd(width)}  ${meaning}`,
  )
  return `${title}:\n${lines.join('\n')}\n`
}
