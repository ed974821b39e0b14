import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { namesFromOutside } from '../../test/names-from-outside.ts'
import { type PageScript, pageScript } from './page-script.ts'

const least = 3
const vowels = /^[aeiou]/
const short = new Set(['an', 'of'])
const endings = ['.', '!']

function longWords(text: string): string[] {
  return text.split(' ').filter(isLong).map(shout)
}

function isLong(word: string): boolean {
  return word.length >= least && !short.has(word)
}

const shout = (word: string) => (vowels.test(word) ? `${word}${endings[1]}` : word)

const script = pageScript(longWords, { isLong, shout }, { least, vowels, short, endings })

/** Runs a script as a page would: with nothing of this file around it. */
function run<Argument, Result>({ source }: PageScript<Argument, Result>, argument: Argument, world = {}) {
  return runInNewContext(`(${source})(${JSON.stringify(argument)})`, world)
}

describe('a script for the page', () => {
  it('holds its functions and constants', () => {
    expect(run(script, 'an apple of great ooze')).toEqual(['apple!', 'great', 'ooze!'])
  })

  it('leaves none of its names in the page', () => {
    const world = {}
    run(script, 'an apple', world)
    expect(Object.keys(world)).toEqual([])
  })

  it('does not hear of what the page calls by the same name', () => {
    expect(run(script, 'apple', { isLong: () => false, least: 99 })).toEqual(['apple!'])
  })

  it('does not give its functions to what is called from it', () => {
    const meet = (name: string) => (globalThis as unknown as Record<string, () => unknown>)[name]?.()
    const met = pageScript((name: string) => meet(name), { meet })
    const world = {}
    runInNewContext('function thief() { return thief.caller }', world)
    expect(run(met, 'thief', world)).toBeNull()
  })

  it('refuses two parts of one name', () => {
    expect(() => pageScript(longWords, { isLong }, { isLong: () => true })).toThrow('isLong')
  })

  it('can be asked for a name that it uses and does not hold', () => {
    expect(namesFromOutside(script.source)).toEqual([])
    expect(namesFromOutside(pageScript(longWords, { isLong, least }).source)).toEqual(['short', 'shout'])
  })
})
