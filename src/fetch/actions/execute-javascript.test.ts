import { createContext, runInContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { findUndeclaredNames } from '../../../test/names-from-outside.ts'
import { scriptInPage } from './execute-javascript.ts'

/** Creates a minimal page: it has only the globals that the script needs. */
function page(limits = { maxReturned: 1000, maxValues: 100 }) {
  const world = createContext({})
  runInContext('class NodeList {}; class HTMLCollection {}; globalThis.window = globalThis', world)
  return (source: string): Promise<string> =>
    runInContext(`(${scriptInPage.source})(${JSON.stringify({ source, ...limits })})`, world)
}

describe('scriptInPage', () => {
  it('refers to no outer names', () => {
    expect(findUndeclaredNames(scriptInPage.source)).toEqual([])
  })

  it.each([
    ['an expression', '1 + 1;', 'number:2'],
    ['an object', '{ a: 1 }', 'object:{"a":1}'],
    ['statements', 'const a = 2; a * 3', 'number:6'],
    ['a return', 'const a = 2; return a * 4', 'number:8'],
    ['await', 'await 5', 'number:5'],
    ['await and a last statement', 'const a = await 5\na + 1', 'number:6'],
    ['a line that goes on', 'const a = await 5\na\n  + 2', 'number:7'],
    ['a comment at its end', 'await 5; 7 // a * b', 'number:7'],
    ['a function', '() => 9', 'number:9'],
    ['a function with a name', 'async function nine() { return 9 }', 'undefined:null'],
    ['nothing', 'let a = 1', 'undefined:null'],
    ['null', 'null', 'object:null'],
  ])('returns the value of %s', async (_, source, expected) => {
    expect(await page()(source)).toBe(expected)
  })

  it('leaves only its declarations to the next script', async () => {
    const run = page()
    await run('function nine() { return 9 }')
    expect(await run('nine()')).toBe('number:9')
    expect(await run('[typeof run, typeof answer, typeof readable, typeof argument].join()')).toBe(
      'string:"undefined,undefined,undefined,undefined"',
    )
  })

  it('runs in sloppy mode', async () => {
    const run = page()
    expect(await run('loose = 3; loose')).toBe('number:3')
    expect(await run('(function () { return this === window })()')).toBe('boolean:true')
  })

  it.each([
    ['circles', 'const a = {}; a.a = a; a', 'object:{"a":"[circular]"}'],
    ['one object twice', 'const a = {}; [a, a]', 'object:[{},{}]'],
    ['maps and sets', '[new Map([[1, 2]]), new Set([3])]', 'object:[[[1,2]],[3]]'],
    [
      'what JSON has no word for',
      '[1n, Symbol("s"), NaN, () => 1]',
      'object:["1","Symbol(s)","NaN","[function ]"]',
    ],
    ['errors and patterns', '[new Error("e"), /x/]', 'object:["Error: e","/x/"]'],
    ['the window', '[window]', 'object:["[Window]"]'],
    ['elements', '({ nodeType: 1, nodeName: "P", outerHTML: "<p>" })', 'object:"<p>"'],
    [
      'documents',
      '({ nodeType: 9, nodeName: "#", documentElement: { outerHTML: "<html>" } })',
      'object:"<html>"',
    ],
    ['texts', '({ nodeType: 3, nodeName: "#text", nodeValue: "text" })', 'object:"text"'],
    [
      'what refuses',
      '({ toJSON() { throw new Error("no") } })',
      'object:"[object Object], which cannot be serialised: Error: no"',
    ],
  ])('serialises %s', async (_, source, expected) => {
    expect(await page()(source)).toBe(expected)
  })

  it('returns the error that the script throws', async () => {
    expect(await page()('throw new TypeError("bad")')).toBe('thrown:TypeError: bad')
    expect(await page()('throw "x".repeat(3000)')).toBe('thrown:an error with a long text')
  })

  it('returns "large" for a result above the limits', async () => {
    const run = page({ maxReturned: 20, maxValues: 5 })
    expect(await run('"x".repeat(18)')).toBe(`string:"${'x'.repeat(18)}"`)
    expect(await run('"x".repeat(19)')).toBe('large')
    expect(await run('[1, 2, 3, 4]')).toBe('object:[1,2,3,4]')
    expect(await run('[1, 2, 3, 4, 5]')).toBe('large')
  })
})
