import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CodeSession, startCodeSession } from '../../../test/code-session.ts'

let session: CodeSession
beforeAll(async () => {
  session = await startCodeSession()
})
afterAll(() => session.close())

const node = (code: string, timeoutMs?: number) => session.run('node', code, timeoutMs)
const success = { exitCode: 0, killed: false, isTruncated: false, stderr: '' }

describe('the result of code in Node', () => {
  it.each([
    ['an expression', '1 + 1', '2'],
    ['a string, as it is', '"text"', 'text'],
    ['an object, as JSON', 'const made = { a: [1] }; made', '{"a":[1]}'],
    ['an object literal alone', '{ a: 1, b: "two" }', '{"a":1,"b":"two"}'],
    ['what was awaited', 'await Promise.resolve(7)', '7'],
    ['a promise nobody awaited', 'Promise.resolve("later")', 'later'],
    ['a number that JSON does not know', '0 / 0', 'NaN'],
    ['a map', 'new Map([[1, 2]])', 'Map(1) { 1 => 2 }'],
    [
      'an object that holds itself',
      'const round = {}; round.round = round; round',
      expect.stringContaining('Circular'),
    ],
    ['the last value of a block', 'if (true) { 5 }', '5'],
    ['nothing for undefined', 'undefined', null],
    ['nothing where a declaration is last', '5; const last = 3', null],
    ['nothing for a comment', '// nothing', null],
  ])('is %s', async (_, code, result) => {
    expect(await node(code)).toEqual({ ...success, stdout: '', result })
  })

  it('is truncated at 1 MB', async () => {
    const { result, isTruncated } = await node('"x".repeat(3_000_000)')
    expect({ length: result?.length, isTruncated }).toEqual({ length: 1024 * 1024, isTruncated: true })
  })
})

describe('variables in Node', () => {
  it('persist for every kind of declaration, and may be declared again', async () => {
    await node('const a = 1; let b = 2; var c = 3; class D { e() { return 4 } }; function f() { return 5 }')
    await node('const a = 10; let b = await Promise.resolve(20)')
    expect((await node('[a, b, c, new D().e(), f()]')).result).toBe('[10,20,3,4,5]')
  })

  it('can be imported from Node packages by any kind of import', async () => {
    const code = `import fs, { existsSync as exists } from 'node:fs'
import * as path from 'node:path'
const { EOL } = await import('node:os')
const { Buffer } = require('node:buffer')
;[typeof fs.readFileSync, exists('/usr'), path.join('a', 'b'), EOL, Buffer.from('x').toString('hex'), process.version]`
    expect((await node(code)).result).toBe(`["function",true,"a/b","\\n","78","${process.version}"]`)
  })
})

describe('code in Node that fails', () => {
  it.each([
    [
      'throws',
      'function fail() {\n  throw new TypeError("no")\n}\nfail()',
      /^TypeError: no\n {4}at fail \(call-\d+\.js:2:9\)\n {4}at call-\d+\.js:4:1\n$/,
    ],
    [
      'cannot be read',
      'const x = 1\nlet y = ;',
      /^call-\d+\.js:2\nlet y = ;\n {8}\^\nSyntaxError: Unexpected token ';'\n$/,
    ],
    ['ends too early', 'foo(', /^call-\d+\.js:1\nfoo\(\n {4}\^\nSyntaxError: Unexpected end of input\n$/],
    ['throws something else', 'throw 5', /^Uncaught 5\n$/],
    ['rejects where nobody looks', 'Promise.reject(new Error("lost")); 1', /^Error: lost\n/],
    [
      'throws when it is called back',
      'setTimeout(() => { throw new Error("late") }); await new Promise((done) => setTimeout(done, 50))',
      /^Error: late\n/,
    ],
    [
      'has a cause',
      'throw new Error("outer", { cause: new Error("inner") })',
      /^Error: outer\n.*\ncaused by Error: inner\n/,
    ],
    [
      'waits for what never comes',
      'await page.click("#nothing", { timeout: 200 })',
      /Timeout 200ms exceeded[\s\S]*at call-\d+\.js:1:/,
    ],
  ])('reports the error when it %s', async (_, code, expectedError) => {
    const { exitCode, stderr, killed } = await node(code)
    expect({ exitCode, killed }).toEqual({ exitCode: 1, killed: false })
    expect(stderr).toMatch(expectedError)
  })

  it('does not make a later call fail by a late rejection', async () => {
    await node(
      'new Promise((done) => { globalThis.release = done }).then(() => { throw new Error("late") }); 1',
    )
    const { exitCode, stderr } = await node('release(); await new Promise((done) => setTimeout(done, 20))')
    expect(exitCode).toBe(0)
    expect(stderr).toContain('late')
  })

  it('returns its exit code, and the next call gets a new process', async () => {
    await node('globalThis.kept = 1')
    expect(await node('console.log("last words"); process.exit(3)')).toMatchObject({
      exitCode: 3,
      stdout: 'last words\n',
    })
    expect((await node('typeof kept')).result).toBe('undefined')
  })

  it('reports the signal that ended its process', async () => {
    expect(await node('process.kill(process.pid, "SIGKILL")')).toMatchObject({
      ...{ exitCode: 137, killed: false, stderr: 'The process was ended by signal 9.\n' },
    })
  })
})

describe('the page of the session', () => {
  it('is available with its context and browser', async () => {
    const code =
      'await page.setContent("<title>Here</title>"); [await page.title(), page.context() === context, browser.isConnected()]'
    expect((await node(code)).result).toBe('["Here",true,true]')
  })

  it('is another open page after it was closed', async () => {
    await node(
      'await page.setContent("<title>First</title>"); globalThis.second = await context.newPage(); await second.setContent("<title>Second</title>"); await page.close()',
    )
    expect((await node('await page.title()')).result).toBe('Second')
  })

  it('is a new one after the last one was closed', async () => {
    await node('for (const open of context.pages()) await open.close()')
    expect((await node('[page.isClosed(), page.url()]')).result).toBe('[false,"about:blank"]')
  })

  it('is available again after code has disconnected from the browser', async () => {
    await node('await page.setContent("<title>Still</title>"); await browser.close()')
    expect((await node('await page.title()')).result).toBe('Still')
  })
})

it('separates stdout and stderr', async () => {
  const { stdout, stderr } = await node(
    'console.log("out", { a: 1 }); console.error("err"); console.warn("warn")',
  )
  expect({ stdout, stderr }).toEqual({ stdout: 'out { a: 1 }\n', stderr: 'err\nwarn\n' })
})
