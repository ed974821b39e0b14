import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { findUndeclaredNames } from '../../test/names-from-outside.ts'
import { type PageScript, pageScript } from './page-script.ts'

const minimum = 3
const vowels = /^[aeiou]/
const short = new Set(['an', 'of'])
const endings = ['.', '!']

function longWords(text: string): string[] {
  return text.split(' ').filter(isLong).map(shout)
}

function isLong(word: string): boolean {
  return word.length >= minimum && !short.has(word)
}

const shout = (word: string) => (vowels.test(word) ? `${word}${endings[1]}` : word)

const script = pageScript(longWords, { isLong, shout }, { minimum, vowels, short, endings })

/** Runs a script as a page does, without access to the scope of this file. */
function run<Argument, Result>({ source }: PageScript<Argument, Result>, argument: Argument, world = {}) {
  return runInNewContext(`(${source})(${JSON.stringify(argument)})`, world)
}

describe('pageScript', () => {
  it('contains its functions and constants', () => {
    expect(run(script, 'an apple of great ooze')).toEqual(['apple!', 'great', 'ooze!'])
  })

  it('adds no global names to the page', () => {
    const world = {}
    run(script, 'an apple', world)
    expect(Object.keys(world)).toEqual([])
  })

  it('ignores page globals of the same name', () => {
    expect(run(script, 'apple', { isLong: () => false, minimum: 99 })).toEqual(['apple!'])
  })

  it('does not expose its functions to the functions that it calls', () => {
    const callGlobal = (name: string) => (globalThis as unknown as Record<string, () => unknown>)[name]?.()
    const callingScript = pageScript((name: string) => callGlobal(name), { callGlobal })
    const world = {}
    runInNewContext('function thief() { return thief.caller }', world)
    expect(run(callingScript, 'thief', world)).toBeNull()
  })

  it('throws for two parts with the same name', () => {
    expect(() => pageScript(longWords, { isLong }, { isLong: () => true })).toThrow('isLong')
  })

  it('lets findUndeclaredNames find missing parts', () => {
    expect(findUndeclaredNames(script.source)).toEqual([])
    expect(findUndeclaredNames(pageScript(longWords, { isLong, minimum }).source)).toEqual(['short', 'shout'])
  })
})
