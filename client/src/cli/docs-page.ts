import type { Command, Option } from './command.ts'
import { flatten } from './completion/bash.ts'
import { optionMeaning, optionSyntax, usage } from './help.ts'
import { generalOptions } from './options.ts'
import { commands } from './table.ts'

const start = '<!-- commands: made from the table in client/src/cli -->\n'
const end = '<!-- end of the commands -->\n'

/** docs/cli.md with the commands as they are now. */
export function commandsPage(page: string): string {
  const from = page.indexOf(start)
  const to = page.indexOf(end)
  if (from < 0 || to < from) throw new Error('docs/cli.md has no place for the commands.')
  const sections = flatten(commands)
    .filter(({ command }) => command.load)
    .map(({ path, command }) => section(`winnow ${path}`, command))
  const general = `### General options\n\n${optionTable(generalOptions)}`
  return `${page.slice(0, from)}${start}\n${[...sections, general].join('\n')}\n${page.slice(to)}`
}

function section(name: string, command: Command): string {
  const summary = command.summary.charAt(0).toUpperCase() + command.summary.slice(1)
  const examples = command.examples?.length ? `\n\`\`\`sh\n${command.examples.join('\n')}\n\`\`\`\n` : ''
  const options = command.options?.length ? `\n${optionTable(command.options)}` : ''
  return `### ${name}\n\n${summary}: \`${usage(name, command)}\`\n${examples}${options}`
}

/** In columns of one width, as the formatter of this repository writes tables. */
function optionTable(options: readonly Option[]): string {
  const cell = (text: string) => text.replaceAll('|', '\\|')
  const rows = [
    ['Option', 'Meaning'],
    ...options.map((option) => [`\`${cell(optionSyntax(option))}\``, cell(optionMeaning(option))]),
  ]
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    `| ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |\n`
  const [head = [], ...body] = rows
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('')
}
