import type { Argument, Command, Option } from './command.ts'
import { exitCodeMeanings } from './exit-codes.ts'
import { generalOptions } from './options.ts'

export function helpText(commands: readonly Command[], path: readonly Command[]): string {
  const command = path.at(-1)
  const name = ['winnow', ...path.map((item) => item.name)].join(' ')
  if (!command) return overview(commands)
  if (command.commands)
    return `${name}: ${command.summary}\n\n${formatSection('Commands', toRows(command.commands))}\n${name} COMMAND --help shows more.\n`
  const options = command.options ?? []
  const examples = (command.examples ?? []).map((example) => `  ${example}\n`).join('')
  return [
    `${usage(name, command)}\n\n${capitalize(command.summary)}.\n`,
    formatSection(
      'Arguments',
      (command.arguments ?? []).map((item) => [item.name, item.description]),
    ),
    formatSection('Options', options.map(toOptionRow)),
    formatSection('General options', generalOptions.map(toOptionRow)),
    examples === '' ? '' : `Examples:\n${examples}`,
  ]
    .filter((part) => part !== '')
    .join('\n')
}

export function usage(name: string, command: Command): string {
  const args = (command.arguments ?? []).map(formatArgument)
  return [name, ...args, ...(command.options?.length ? ['[options]'] : [])].join(' ')
}

export function optionSyntax({ name, short, kind, value }: Option): string {
  const long = kind === 'flag' ? `--${name}` : `--${name} ${value ?? 'VALUE'}`
  return short === undefined ? long : `-${short}, ${long}`
}

export function optionMeaning({ description, choices }: Option): string {
  return choices ? `${description}: ${choices.join(', ')}` : description
}

function formatArgument({ name, isOptional, isRepeated }: Argument): string {
  const text = isRepeated ? `${name}...` : name
  return isOptional ? `[${text}]` : text
}

function overview(commands: readonly Command[]): string {
  const exitCodeRows = Object.entries(exitCodeMeanings).map(([code, meaning]) => [code, meaning] as const)
  return [
    'winnow COMMAND [options]: web pages and files as data, from a Winnow service.\n',
    formatSection('Commands', toRows(commands)),
    formatSection('General options', generalOptions.map(toOptionRow)),
    formatSection('Exit codes', exitCodeRows),
    'winnow COMMAND --help shows more.\n',
  ].join('\n')
}

const toRows = (list: readonly Command[]) => list.map(({ name, summary }) => [name, summary] as const)
const toOptionRow = (option: Option) => [optionSyntax(option), optionMeaning(option)] as const
const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const maxNameWidth = 28

function formatSection(
  title: string,
  rows: readonly (readonly [string, string])[] | readonly string[][],
): string {
  if (rows.length === 0) return ''
  const width = Math.min(maxNameWidth, Math.max(...rows.map(([name = '']) => name.length)))
  const lines = rows.map(([name = '', meaning = '']) =>
    name.length > width
      ? `  ${name}\n  ${' '.repeat(width)}  ${meaning}`
      : `  ${name.padEnd(width)}  ${meaning}`,
  )
  return `${title}:\n${lines.join('\n')}\n`
}
