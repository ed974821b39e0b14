import { execFileSync, spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { generalOptions } from '../options.ts'
import { commands } from '../table.ts'
import { bashCompletion, flatten } from './bash.ts'
import { fishCompletion } from './fish.ts'
import { zshCompletion } from './zsh.ts'

const isInstalled = (shell: string) => spawnSync(shell, ['--version']).status === 0

/** Returns the suggestions of bash for the last word. */
function completeInBash(...words: string[]): string[] {
  const script = `${bashCompletion(commands, generalOptions)}
COMP_WORDS=(${['winnow', ...words].map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${words.length}
_winnow
printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8' }).trim().split('\n')
}

function completeInFish(line: string): string[] {
  const script = `${fishCompletion(commands, generalOptions)}\ncomplete -C '${line}'`
  const output = execFileSync('fish', ['--no-config', '-c', script], { encoding: 'utf8' })
  return output
    .trim()
    .split('\n')
    .map((line) => line.split('\t')[0] ?? '')
}

describe('completion in bash', () => {
  it('suggests commands and subcommands', () => {
    expect(completeInBash('')).toEqual([...commands.map(({ name }) => name), 'help'])
    expect(completeInBash('browser', '')).toEqual(['open', 'list', 'run', 'close'])
    expect(completeInBash('c')).toEqual(['crawl', 'completion'])
  })

  it('suggests options, also after options with values', () => {
    expect(completeInBash('--url', 'http://a.example', 'crawl', '--lim')).toEqual(['--limit'])
    expect(completeInBash('browser', 'open', '--tt')).toEqual(['--ttl'])
  })

  it('suggests values and files', () => {
    expect(completeInBash('crawl', '--sitemap', '')).toEqual(['include', 'skip', 'only'])
    expect(completeInBash('scrape', '-f', 'mark')).toEqual(['markdown'])
    expect(completeInBash('parse', 'package.j')).toEqual(['package.json'])
    expect(completeInBash('completion', 'z')).toEqual(['zsh'])
  })
})

/** Splits a line into words as fish does. In single quotes, a backslash escapes only a quote or a backslash. */
function splitFishWords(line: string): string[] {
  const word = /(?:[^\s'"]|'(?:[^'\\]|\\['\\])*'|"[^"\\$]*")+/y
  const words: string[] = []
  for (let offset = 0; offset < line.length; offset = word.lastIndex + 1) {
    word.lastIndex = offset
    const match = word.exec(line)?.[0]
    if (match === undefined || !' '.includes(line[word.lastIndex] ?? ' '))
      throw new Error(`Not a line of fish: ${line}`)
    words.push(
      match.replaceAll(/'((?:[^'\\]|\\.)*)'|"([^"]*)"/g, (_, singleQuoted, doubleQuoted) =>
        (singleQuoted ?? doubleQuoted).replaceAll(/\\(.)/g, '$1'),
      ),
    )
  }
  return words
}

/** Syntax errors are also detected on machines without fish. */
describe('completion in fish', () => {
  const script = fishCompletion(commands, generalOptions)

  it('has a line with the unchanged description for each option of each command', () => {
    const lines = script.split('\n').filter((line) => line.startsWith('complete '))
    const completions = lines.map(splitFishWords).map((words) => {
      const after = (flag: string) => (words.includes(flag) ? words[words.indexOf(flag) + 1] : undefined)
      return { at: after('-n'), option: after('-l'), about: after('-d') }
    })
    for (const { path, command } of flatten(commands)) {
      const at = `__winnow_at '${path}'`
      const options = completions.filter(
        (completion) => completion.at === at && completion.option !== undefined,
      )
      expect(options).toEqual(
        (command.options ?? []).map(({ name, description }) => ({ at, option: name, about: description })),
      )
    }
  })

  it('suggests commands, options and values', () => {
    const blocks = script.match(/^ *(?:function|for|if|end)\b/gm)?.map((word) => word.trim())
    expect(blocks).toEqual(['function', 'for', 'if', 'end', 'end', 'end'])
    if (!isInstalled('fish')) return
    expect(completeInFish('winnow browser ')).toEqual(
      expect.arrayContaining(['open', 'list', 'run', 'close']),
    )
    expect(completeInFish('winnow crawl --lim')).toEqual(['--limit'])
    expect(completeInFish('winnow crawl --sitemap ').sort()).toEqual(['include', 'only', 'skip'])
  })
})

describe('completion in zsh', () => {
  it('loads without errors', () => {
    const script = zshCompletion(commands, generalOptions)
    // The script only uses syntax that bash can parse too: quotes, lists, functions and cases.
    const syntaxCheck = spawnSync('bash', ['--norc', '-n'], { input: script, encoding: 'utf8' })
    expect({ status: syntaxCheck.status, stderr: syntaxCheck.stderr }).toEqual({ status: 0, stderr: '' })
    if (!isInstalled('zsh')) return
    const loadCommand = `autoload -Uz compinit && compinit -u -D\n${script}\nwhence -w _winnow_browser_run; print $_comps[winnow]`
    const { stdout, stderr } = spawnSync('zsh', ['-f', '-c', loadCommand], { encoding: 'utf8' })
    expect({ stdout, stderr }).toEqual({ stdout: '_winnow_browser_run: function\n_winnow\n', stderr: '' })
  })
})
