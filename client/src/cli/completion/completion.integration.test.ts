import { execFileSync, spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { generalOptions } from '../options.ts'
import { commands } from '../table.ts'
import { bashCompletion, flatten } from './bash.ts'
import { fishCompletion } from './fish.ts'
import { zshCompletion } from './zsh.ts'

const has = (shell: string) => spawnSync(shell, ['--version']).status === 0

/** What bash offers for the last word. */
function inBash(...words: string[]): string[] {
  const script = `${bashCompletion(commands, generalOptions)}
COMP_WORDS=(${['winnow', ...words].map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${words.length}
_winnow
printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8' }).trim().split('\n')
}

function inFish(line: string): string[] {
  const script = `${fishCompletion(commands, generalOptions)}\ncomplete -C '${line}'`
  const offered = execFileSync('fish', ['--no-config', '-c', script], { encoding: 'utf8' })
  return offered
    .trim()
    .split('\n')
    .map((each) => each.split('\t')[0] ?? '')
}

describe('completion in bash', () => {
  it('offers commands, and those of a group', () => {
    expect(inBash('')).toEqual([...commands.map(({ name }) => name), 'help'])
    expect(inBash('browser', '')).toEqual(['open', 'list', 'run', 'close'])
    expect(inBash('c')).toEqual(['crawl', 'completion'])
  })

  it('offers options, also behind options with values', () => {
    expect(inBash('--url', 'http://a.example', 'crawl', '--lim')).toEqual(['--limit'])
    expect(inBash('browser', 'open', '--tt')).toEqual(['--ttl'])
  })

  it('offers values, and files', () => {
    expect(inBash('crawl', '--sitemap', '')).toEqual(['include', 'skip', 'only'])
    expect(inBash('scrape', '-f', 'mark')).toEqual(['markdown'])
    expect(inBash('parse', 'package.j')).toEqual(['package.json'])
    expect(inBash('completion', 'z')).toEqual(['zsh'])
  })
})

/** The words of a line as fish reads them: in single quotes, a backslash stands only before a quote and itself. */
function fishWords(line: string): string[] {
  const word = /(?:[^\s'"]|'(?:[^'\\]|\\['\\])*'|"[^"\\$]*")+/y
  const words: string[] = []
  for (let at = 0; at < line.length; at = word.lastIndex + 1) {
    word.lastIndex = at
    const found = word.exec(line)?.[0]
    if (found === undefined || !' '.includes(line[word.lastIndex] ?? ' '))
      throw new Error(`Not a line of fish: ${line}`)
    words.push(
      found.replaceAll(/'((?:[^'\\]|\\.)*)'|"([^"]*)"/g, (_, one, two) =>
        (one ?? two).replaceAll(/\\(.)/g, '$1'),
      ),
    )
  }
  return words
}

/** Whether the machine has the shell or not, what every shell would stumble over is seen. */
describe('completion in fish', () => {
  const script = fishCompletion(commands, generalOptions)

  it('has a line for each option of each command, with its text as it is', () => {
    const lines = script.split('\n').filter((line) => line.startsWith('complete '))
    const told = lines.map(fishWords).map((words) => {
      const after = (flag: string) => (words.includes(flag) ? words[words.indexOf(flag) + 1] : undefined)
      return { at: after('-n'), option: after('-l'), about: after('-d') }
    })
    for (const { path, command } of flatten(commands)) {
      const at = `__winnow_at '${path}'`
      const options = told.filter((each) => each.at === at && each.option !== undefined)
      expect(options).toEqual(
        (command.options ?? []).map(({ name, description }) => ({ at, option: name, about: description })),
      )
    }
  })

  it('offers commands, options and values', () => {
    const blocks = script.match(/^ *(?:function|for|if|end)\b/gm)?.map((word) => word.trim())
    expect(blocks).toEqual(['function', 'for', 'if', 'end', 'end', 'end'])
    if (!has('fish')) return
    expect(inFish('winnow browser ')).toEqual(expect.arrayContaining(['open', 'list', 'run', 'close']))
    expect(inFish('winnow crawl --lim')).toEqual(['--limit'])
    expect(inFish('winnow crawl --sitemap ').sort()).toEqual(['include', 'only', 'skip'])
  })
})

describe('completion in zsh', () => {
  it('is loaded without a complaint', () => {
    const script = zshCompletion(commands, generalOptions)
    // Its syntax is one that bash shares: quotes, lists, functions and cases.
    const checked = spawnSync('bash', ['--norc', '-n'], { input: script, encoding: 'utf8' })
    expect({ status: checked.status, stderr: checked.stderr }).toEqual({ status: 0, stderr: '' })
    if (!has('zsh')) return
    const loading = `autoload -Uz compinit && compinit -u -D\n${script}\nwhence -w _winnow_browser_run; print $_comps[winnow]`
    const { stdout, stderr } = spawnSync('zsh', ['-f', '-c', loading], { encoding: 'utf8' })
    expect({ stdout, stderr }).toEqual({ stdout: '_winnow_browser_run: function\n_winnow\n', stderr: '' })
  })
})
