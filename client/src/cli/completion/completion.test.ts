import { execFileSync, spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { generalOptions } from '../options.ts'
import { commands } from '../table.ts'
import { bashCompletion } from './bash.ts'
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

describe.skipIf(!has('fish'))('completion in fish', () => {
  it('offers commands, options and values', () => {
    expect(inFish('winnow browser ')).toEqual(expect.arrayContaining(['open', 'list', 'run', 'close']))
    expect(inFish('winnow crawl --lim')).toEqual(['--limit'])
    expect(inFish('winnow crawl --sitemap ').sort()).toEqual(['include', 'only', 'skip'])
  })
})

describe.skipIf(!has('zsh'))('completion in zsh', () => {
  it('is loaded without a complaint', () => {
    const script = `autoload -Uz compinit && compinit -u -D\n${zshCompletion(commands, generalOptions)}\nwhence -w _winnow_browser_run; print $_comps[winnow]`
    const { stdout, stderr } = spawnSync('zsh', ['-f', '-c', script], { encoding: 'utf8' })
    expect({ stdout, stderr }).toEqual({ stdout: '_winnow_browser_run: function\n_winnow\n', stderr: '' })
  })
})
